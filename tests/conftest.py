"""For all tests: properties are tried on the same examples every time, so that a build fails for what a change did.

HYPOTHESIS_PROFILE=search tries new ones. A busy machine is slow now and then, which is no failure of a property.
"""

import os

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
