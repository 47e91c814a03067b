"""One of several, side by side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import streamlit as st

V = TypeVar("V")


def choose_one(label: str, words: Mapping[V, str], default: V, key: str, help: str | None = None, **more: Any) -> V:
    """By their words, and always one of them; `more` goes to Streamlit's control."""
    how: Any = {"format_func": words.__getitem__, "default": default, "required": True, "key": key, "help": help, **more}
    made: V = st.segmented_control(label, list(words), **how)
    return made


def choose_at_most_one(label: str, words: Mapping[V, str], default: V | None, key: str, help: str) -> V | None:
    """By their words; a click on the one that is chosen takes it back."""
    return st.segmented_control(label, list(words), format_func=words.__getitem__, default=default, key=key, help=help)
