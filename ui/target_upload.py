"""The target "upload": numbers from a file. A file that cannot be used leaves the target as it was."""

from __future__ import annotations

import streamlit as st

from discover_core.errors import InputError
from discover_core.runs.recipe import Quantiles, Recipe, Values
from discover_core.runs.target_file import target_values

from . import session
from .target_shelf import Shelf
from .text import count, plain

MEGABYTES = 10


def upload(work: session.Work, shelf: Shelf) -> None:
    key = f"target-file-{work.id}-{session.version()}"
    st.file_uploader(
        "The scores you wish for",
        type=["csv", "txt", "xlsx", "parquet"],
        key=key,
        on_change=_uploaded,
        args=(key, shelf),
        max_upload_size=MEGABYTES,
        help="They need not be as many as the group has people: only how they are spread counts.",
    )
    if shelf.problem is not None:
        st.error(plain(shelf.problem))
    recipe = shelf.recipes.get("upload")
    if recipe is None:
        st.caption(
            "One column of numbers, or two columns “probability” and “value”. Until a file is read, the target stays as it was."
        )
    else:
        st.markdown(f"In use: {_words(recipe)}" + (f" from {plain(shelf.file)}." if shelf.file else "."))


def _words(recipe: Recipe) -> str:
    if isinstance(recipe, Quantiles):
        return f"**{count(len(recipe.values), 'quantile')}**"
    return f"**{count(len(recipe.values), 'value')}**" if isinstance(recipe, Values) else "your target"


def _uploaded(key: str, shelf: Shelf) -> None:
    file, work = st.session_state.get(key), session.current()
    if file is None or work is None or work.scored is None:
        return
    try:
        recipe = target_values(file.getvalue(), str(file.name), work.scored.model.interval)
    except InputError as error:
        shelf.problem = str(error)
        return
    shelf.problem, shelf.file = None, str(file.name)
    shelf.put("upload", recipe)
    session.ask(target=recipe)
