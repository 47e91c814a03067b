"""The one error a user can cause and a user can read."""


class InputError(ValueError):
    """Something the user gave cannot be used. The message is one sentence that says what, where and what to do."""
