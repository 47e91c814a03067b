"""The runs of this browser: it keeps their ids so that a new tab finds them again, and its secret as a maker. Nothing else."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from discover_core.store.run import Run

from . import maker, tab_runs
from .assets import ASSETS

MOST = 200
ID = re.compile(r"[A-Za-z0-9_-]{8,32}")
KEY = "memory"

_component = st.components.v2.component("run_memory", js=(ASSETS / "memory.js").read_text(encoding="utf-8"))


def remember(listen: bool) -> None:
    """Give the browser the ids of this tab's runs to keep; with `listen`, hear from it of those of other tabs."""
    runs = tab_runs.opened()
    known = [*runs, *tab_runs.told(), *_gone()]
    data = {"runs": runs, "known": known, "gone": _gone(), "listen": listen, "secret": maker.secret()}
    _component(key=KEY, data=data, on_runs_change=_heard, on_secret_change=_heard_secret)


def runs() -> list[Run]:
    """The runs that this browser has started or opened, the newest first. Those that are no more are forgotten."""
    ids = list(dict.fromkeys([*tab_runs.opened(), *tab_runs.told()]))
    found = tab_runs.store().runs(ids)
    there = {run.id for run in found}
    st.session_state["runs_gone"] = list(dict.fromkeys([*_gone(), *(run for run in ids if run not in there)]))[-MOST:]
    st.session_state["runs_told"] = [run for run in tab_runs.told() if run in there]
    return found


def usable(given: Any) -> list[str]:
    """What can be ids in what a browser sends, which may be anything."""
    if not isinstance(given, list):
        return []
    return list(dict.fromkeys(run for run in given[:MOST] if isinstance(run, str) and ID.fullmatch(run)))


def _heard() -> None:
    gone = set(_gone())
    st.session_state["runs_told"] = [run for run in usable(st.session_state[KEY].get("runs")) if run not in gone]


def _heard_secret() -> None:
    maker.heard(st.session_state[KEY].get("secret"))


def _gone() -> list[str]:
    return list(st.session_state.get("runs_gone", []))
