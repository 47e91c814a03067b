"""Overview: what this is, demos one click away, your own data beside them, recent work below."""

import streamlit as st

from discover_core.models.settings import FAMILIES
from discover_core.runs.words import STATES
from ui import door, opening, running, scenarios, session, work
from ui.text import count, plain

PER_ROW = 3


def page() -> None:
    left, right = st.columns([5, 4], gap="large", vertical_alignment="center")
    with left:
        st.title("Change the outlook of a whole group")
        st.markdown(
            "Pick a group and the risks you would like its members to have. DISCOVER finds which few people would have to "
            "change what, and by how much, while the group still looks like itself, and says how sure that is."
        )
    with right:
        st.image(
            "assets/overview.svg",
            width="stretch",
            alt="A grey hill of high risks moves left to a blue hill that meets a dashed target.",
        )

    st.space("small")
    st.subheader("Open a demo, or bring your own", help="Demos are real data with a real model, trained in a few seconds.")
    demos = opening.demos()
    places = [place for _ in range(0, len(demos) + 1, PER_ROW) for place in st.columns(PER_ROW)]
    for place, known in zip(places, demos, strict=False):
        with place.container(border=True, height="stretch", vertical_alignment="distribute", key=f"demo-{known.name}"):
            with st.container():
                st.markdown(f"#### {plain(known.title)}")
                st.markdown(plain(known.story) + ".")
                st.caption(f"{count(len(known.columns) - 1, 'feature')} · {FAMILIES[known.model].title}")
            if st.button(
                "Open", key=f"open-{known.name}", help=f"Open the {known.title} demo", disabled=work.busy(), width="stretch"
            ):
                opening.start_sample(known.name)
                st.rerun()
    with places[len(demos)].container(border=True, height="stretch", key="own"):
        st.markdown("#### Your own data")
        opening.uploader("overview_upload")
        st.caption("One row per person. Then train a model on it, or bring your model too.")

    st.space("small")
    st.subheader("Recent work", help="What you opened and asked since this tab was loaded. Runs and saved scenarios outlast it.")
    recent = session.recent()
    runs = running.mine()
    if not recent and not runs:
        st.caption("Nothing yet. Open a demo or a file, and you will find your way back to it here.")
    for item in recent:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"recent-{item.id}"):
            model = plain(item.scored.model.title) if item.scored else "no model yet"
            st.markdown(f"**{plain(item.dataset.title)}** · {count(len(item.dataset.raw), 'row')} · {model}", width="stretch")
            if st.button("Continue", key=f"continue-{item.id}"):
                session.keep(item)
                st.switch_page("pages/data.py")
    for run in runs[:5]:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"recent-run-{run.id}"):
            done = f"{STATES[run.state].lower()} at iteration {max(run.done, 0):,} of {run.iterations:,}"
            st.markdown(f"**{plain(run.name)}** · run, {done}", width="stretch")
            if st.button("Show", key=f"show-run-{run.id}"):
                running.look_at(run.id)
                st.switch_page("pages/solve.py")

    st.space("small")
    st.subheader("Saved scenarios", help="Questions that somebody saved on this server. Everybody who uses it can open them.")
    scenarios.saved_list("overview")


door.show(page)
