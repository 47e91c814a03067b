"""What people are called: a column of the table, or the number of their row."""

from __future__ import annotations

import streamlit as st

from discover_core.table.people import people_names

from ..app import session
from ..app.text import plain

EXAMPLES = 3


def people_picker(work: session.Work) -> None:
    """The column whose values name people in plans, charts and files."""
    names = [None, *(column.name for column in work.schema if column.name != work.schema.outcome)]
    left, right = st.columns(2, vertical_alignment="bottom")
    chosen = left.selectbox(
        "People are called by",
        names,
        index=names.index(work.people) if work.people in names else 0,
        format_func=lambda name: "Row number" if name is None else name,
        key=f"people-{work.id}-{session.version()}-{work.schema.outcome}",
        help="A number or name that tells people apart. Plans, charts and files call them by it; whoever has none goes by row. "
        "The model does not see it unless the column is a feature, too.",
    )
    if chosen != work.people:
        session.update(people=chosen)
        st.rerun()
    if work.people is not None:
        some = people_names(work.dataset.raw.head(EXAMPLES), work.people)
        right.caption(f"For example {', '.join(plain(name) for name in some)}.")
