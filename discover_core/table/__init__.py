"""A DataFrame and what its columns mean."""

from .cohort import Cohort, Rule
from .encoding import Encoding
from .infer import describe, suggest_outcome
from .prepare import Prepared, prepare
from .profile import Profile, profile
from .schema import MISSING, Column, Schema

__all__ = [
    "MISSING",
    "Cohort",
    "Column",
    "Encoding",
    "Prepared",
    "Profile",
    "Rule",
    "Schema",
    "describe",
    "prepare",
    "profile",
    "suggest_outcome",
]
