"""For all tests: a busy machine is slow now and then, which is no failure of a property."""

from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
