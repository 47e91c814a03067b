"""How much effort: a preset, the few numbers behind it, and everything else folded away."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from discover_core.problem.presets import FITTED, PRESETS, beyond, enough_for, in_words, preset_of
from discover_core.problem.settings import Settings

from ..app import session
from ..app.text import count
from .budget_words import OPTIONS, WORDS

MOST = 2**53 - 1  # the largest whole number a browser can hold
TINY = 1e-6
PATIENCE = 20


@st.fragment
def effort() -> None:
    work = session.current()
    if work is None:
        return
    group, before = (len(work.group), len(work.actions.editable), work.needed), work.settings
    shown = f"{before.k}-{before.candidates}" if work.draft.fitted else st.session_state.get("presets", 0)
    top = st.container()
    with st.container():
        settings = _form(before, f"effort-{work.id}-{session.version()}-{shown}")
    if settings != before:
        only_seed = replace(settings, seed=before.seed) == before
        session.ask(settings=settings, fitted=work.draft.fitted and only_seed)
        st.rerun()  # the advice on the bounds and the tools above depend on them
    with top:  # drawn last: it speaks of what the fields say now
        _presets(settings, group, f"preset-{work.id}-{session.version()}")


def _presets(settings: Settings, group: tuple[int, int, int], key: str) -> None:
    """The presets, with the one that the settings are, and what they mean for the group: its people, what may change of
    them, and how many have to."""
    n, f, needed = group
    name = preset_of(settings, *group)
    st.session_state[key] = name
    st.segmented_control(
        "Start from",
        list(PRESETS),
        key=key,
        required=True,
        on_change=_choose,
        args=(key, group),
        help="Sets everything below except the seed. In “Paper”, too, a new value starts from a random person’s value: its "
        "authors’ code does so, and it explores further than the start that its text names, the person’s own value.",
    )
    about = f"**{name}**: {PRESETS[name].sentence}" if name else "**Your own** choice."
    st.markdown(f"{about} {in_words(settings, n, f)}")
    enough = enough_for(settings, n)
    said = f"Enough for about {count(enough, 'person', 'people')}; about {needed:,} have to change for this outcome."
    if enough < needed:
        st.warning(
            f"{said} Raise the people per iteration or the iterations, or start from “{FITTED}”.", icon=":material/warning:"
        )
    else:
        st.caption(said)
    for sentence in beyond(settings, n, f):
        st.caption(sentence)


def _choose(key: str, group: tuple[int, int, int]) -> None:
    name, work = st.session_state[key], session.current()
    if name in PRESETS and work is not None:
        before = work.settings
        made = replace(PRESETS[name].settings(*group), seed=before.seed, encoding=before.encoding)
        session.ask(settings=made, fitted=name == FITTED)
        st.session_state["presets"] = st.session_state.get("presets", 0) + 1  # its fields start anew


def _form(settings: Settings, key: str) -> Settings:
    """All fields, and what they say as settings."""
    fields = _Fields(settings, key)
    with _row():
        for name in ("k", "h", "candidates", "iterations"):
            fields.whole(name, 1)
        fields.whole("seed", 0)
    with _row():
        fields.choose("strategy")
        fields.choose("selection")
    with st.expander("Everything else"):
        _new_values(fields)
        _distances(fields)
        _stopping(fields)
        if fields.now["strategy"] == "genetic":
            _mixing(fields)
    return replace(settings, **fields.now)


def _new_values(fields: _Fields) -> None:
    """Where they come from. Differential evolution takes its steps from the data, so most of it is idle then."""
    idle = fields.now["strategy"] == "differential_evolution"
    st.markdown("**New values**")
    left, middle, right = st.columns(3)
    with left:
        fields.choose("origin")
        fields.amount("numeric_step", TINY, 1.0, 0.05, idle)
    with middle:
        fields.choose("guidance", idle)
        fields.amount("categorical_step", TINY, float(MOST), 0.1, idle)
    with right:
        fields.amount("angle", TINY, 180.0, 5.0, idle or fields.now["guidance"] == "none")
        fields.amount("temperature", TINY, float(MOST), 0.5, idle)
    if idle:
        st.caption("The fields in grey have no effect: differential evolution takes its steps from differences between people.")


def _distances(fields: _Fields) -> None:
    st.markdown("**Distances**")
    left, middle, right = st.columns(3)
    with left:
        fields.span("weight", "l", "r")
    with middle:
        fields.amount("kappa", TINY, 1 - TINY, 0.01)
    with right:
        fields.choose("encoding")


def _stopping(fields: _Fields) -> None:
    st.markdown("**Stopping early**")
    with _row():
        fields.switch("stop_when_certified")
        fields.patience()


def _mixing(fields: _Fields) -> None:
    st.markdown("**Mixing**")
    names = ("crossover", "swap", "mutate_categorical", "mutate_numeric")
    for column, name in zip(st.columns(len(names), vertical_alignment="bottom"), names, strict=True):
        with column:
            fields.amount(name, 0.0, 1.0, 0.1)


@dataclass
class _Fields:
    """Widgets that show settings, and `now` what they say. An untouched one says exactly what it was given."""

    settings: Settings
    key: str
    now: dict[str, Any] = field(default_factory=dict)

    def whole(self, name: str, least: int) -> None:
        self._number(name, getattr(self.settings, name), least, MOST, 1, "%d")

    def amount(self, name: str, low: float, high: float, step: float, idle: bool = False) -> None:
        self._number(name, getattr(self.settings, name), low, high, step, "%g", disabled=idle)

    def choose(self, name: str, idle: bool = False) -> None:
        words = OPTIONS[name]
        at = list(words).index(getattr(self.settings, name))
        self.now[name] = st.selectbox(
            WORDS[name][0], list(words), at, words.__getitem__, f"{self.key}-{name}", WORDS[name][1], disabled=idle
        )

    def switch(self, name: str) -> None:
        self.now[name] = st.toggle(WORDS[name][0], getattr(self.settings, name), f"{self.key}-{name}", WORDS[name][1])

    def span(self, name: str, low: str, high: str) -> None:
        """Two settings on one slider, so that they cannot change places."""
        given = (float(getattr(self.settings, low)), float(getattr(self.settings, high)))
        said = st.slider(WORDS[name][0], 0.0, 1.0, given, 0.01, None, f"{self.key}-{name}", WORDS[name][1])
        self.now[low], self.now[high] = said

    def patience(self) -> None:
        given = self.settings.patience
        label, help = WORDS["patient"]
        if st.toggle(label, given is not None, f"{self.key}-patient", help):
            self._number("patience", given or PATIENCE, 1, MOST, 1, "%d", width=300)
        else:
            self.now["patience"] = None

    def _number(self, name: str, given: float, low: float, high: float, step: float, shape: str, **more: Any) -> None:
        shown = type(step)(min(max(given, low), high))
        label, help = WORDS[name]
        said = st.number_input(label, low, high, shown, step, shape, f"{self.key}-{name}", help, **more)
        self.now[name] = given if said == shown else said


def _row() -> DeltaGenerator:
    """Fields side by side, as many as there is room for."""
    return st.container(horizontal=True, vertical_alignment="bottom")
