"""A DataFrame and what its columns mean: read, described, prepared, encoded into numbers, cut down to a group.

It knows files and values, but no model and nothing that anybody wishes for.
"""

from .cohort import Cohort, Rule
from .dataset import Dataset
from .describe import describe
from .encoding import Encoding
from .known import KnownTable, recognise
from .names import suggest_outcome
from .people import suggest_people
from .prepare import Prepared, prepare
from .profile import Profile, profile
from .read import read_table
from .schema import MISSING, Column, Schema

__all__ = [
    "MISSING",
    "Cohort",
    "Column",
    "Dataset",
    "Encoding",
    "KnownTable",
    "Prepared",
    "Profile",
    "Rule",
    "Schema",
    "describe",
    "prepare",
    "profile",
    "read_table",
    "recognise",
    "suggest_outcome",
    "suggest_people",
]
