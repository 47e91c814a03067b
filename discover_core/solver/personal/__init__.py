"""The personal search: a goal for each person, and the least change that reaches it."""
