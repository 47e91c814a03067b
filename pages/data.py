"""Data: choose or upload, choose the group to explain, see what is in the table, and say what each column means."""

import streamlit as st

from discover_core.table import Dataset
from discover_core.table.profile import DRAWN
from ui.app import open_data, page_jobs, page_registry, session
from ui.app.leak_warning import leak_warning
from ui.app.text import count, plain
from ui.data.column_detail import column_detail
from ui.data.columns import columns_table, outcome_picker
from ui.data.group import group_builder
from ui.data.people_column import people_picker

PREVIEW = 200
EXTREMES = 6  # columns with impossible values that are told one by one


def page() -> None:
    current = session.current()
    if current is None:
        st.title("Data")
        if not page_jobs.busy():
            st.markdown("Choose a data set, or bring a table of your own with one row per person.")
        chooser()
        return
    data = current.dataset
    st.title(plain(data.title))
    if current.known is not None:
        st.markdown(plain(current.known.story) + ".")
    with st.expander("Change the data", icon=":material/swap_horiz:"):
        chooser()
    numbers(data)

    st.header("The group", help="The people whose outlook you want to change. Later steps work on this group.")
    group_builder()

    st.header("Columns", help="What is in each column, and how it will be used. Change “Use as” and “May change” in the table.")
    outcome_picker(current)
    people_picker(current)
    with st.container():
        leak_warning(current)
        said_of_extremes(data)
    columns_table(current)
    with st.container():
        said_of_gaps(data)
    column_detail(current)

    st.header("Rows")
    first = data.raw.head(PREVIEW).set_axis(range(1, min(len(data.raw), PREVIEW) + 1))  # rows are counted from 1 everywhere
    st.dataframe(first, height=280, key=f"preview-{current.id}", alt="The first rows of the table.")
    if len(data.raw) > PREVIEW:
        st.caption(f"The first {PREVIEW} of {len(data.raw):,} rows.")

    st.space("small")
    st.page_link("pages/model.py", label="Go on to the model", icon=":material/arrow_forward:")


def said_of_extremes(data: Dataset) -> None:
    """Numbers that look like mistakes. They stay in the table, but are not offered as new values."""
    said = [data.extremes[column.name] for column in data.schema if column.name in data.extremes]
    if said:
        more = [f"And {count(len(said) - EXTREMES, 'more column')}."] if len(said) > EXTREMES else []
        lines = [*(plain(sentence) for sentence in said[:EXTREMES]), *more]
        st.warning(
            (lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines))
            + "\n\nNothing is removed. New values stay in the usual range unless you widen it on the Scenario page.",
            icon=":material/rule:",
        )


def said_of_gaps(data: Dataset) -> None:
    if len(data.raw) > DRAWN:
        st.caption(f"The small charts are drawn from a random sample of {DRAWN:,} rows; missing cells are counted in all.")
    if data.all_notes:
        filled = sum(bool(notes) for notes in data.notes.values())
        with st.expander(f"{count(filled, 'column')} had gaps that were filled", icon=":material/healing:"):
            st.markdown("\n".join(f"- {plain(note)}" for note in data.all_notes))


def chooser() -> None:
    left, right = st.columns(2, gap="large")
    with left:
        titles = {known.name: known.title for known in open_data.demos()}
        chosen = st.selectbox(
            "A data set of ours", list(titles), format_func=titles.__getitem__, key="sample_choice", persist_state="session"
        )
        if st.button("Open", key="open_sample", disabled=page_jobs.busy()):
            open_data.start_sample(chosen)
            st.rerun()
    with right:
        open_data.uploader("data_upload")


def numbers(data: Dataset) -> None:
    shown = (
        ("Rows", len(data.raw), "One row per person or case."),
        ("Columns", len(data.raw.columns), "As in the file."),
        ("Features", len(data.schema.features), "Columns a model may look at: all but the outcome and those left out."),
        ("Missing cells", sum(p.missing for p in data.profiles.values()), "Empty cells, and codes that stand for “missing”."),
    )
    for place, (label, value, why) in zip(st.columns(4), shown, strict=True):
        place.metric(label, f"{value:,}", help=why, border=True)


page_registry.show(page)
