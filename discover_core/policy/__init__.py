"""Rules that tell a person what to change knowing nobody else, what they can promise of new people, and their files.

A policy is learnt from one half of a group and audited on the other.
"""

from .audit import Audit, Claim, audit
from .learn import learn_policy
from .policy import Policy
from .policy_file import read_policy
from .split import split

__all__ = ["Audit", "Claim", "Policy", "audit", "learn_policy", "read_policy", "split"]
