"""How a column is used and whether it may change, in the words of the tables that ask for it."""

from __future__ import annotations

from discover_core.table.schema import Action, Role

ROLE_WORDS: dict[Role, str] = {"numeric": "Number", "ordinal": "Ordered", "nominal": "Category", "excluded": "Left out"}
ACTION_WORDS: dict[Action, str] = {"free": "Yes", "locked": "No", "increase": "Only up", "decrease": "Only down"}
ROLES = {word: role for role, word in ROLE_WORDS.items()}
ACTIONS = {word: action for action, word in ACTION_WORDS.items()}
