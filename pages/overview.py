"""Overview: what this is, demos one click away, your own data beside them, recent work below."""

from functools import partial

import streamlit as st

from discover_core.models.settings import FAMILIES
from ui.app import open_data, page_jobs, page_registry, session, tab_runs
from ui.app.assets import ASSETS
from ui.app.close_work import close
from ui.app.delete_button import delete_button
from ui.app.text import count, plain
from ui.overview.earlier_work import earlier

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
            ASSETS / "overview.svg",
            width="stretch",
            alt="A grey hill of high risks moves left to a blue hill that meets a dashed target.",
        )

    st.space("small")
    st.subheader("Open a demo, or bring your own", help="Demos are real data with a real model, trained in a few seconds.")
    demos = open_data.demos()
    places = [place for _ in range(0, len(demos) + 1, PER_ROW) for place in st.columns(PER_ROW)]
    for place, known in zip(places, demos, strict=False):
        with place.container(border=True, height="stretch", vertical_alignment="distribute", key=f"demo-{known.name}"):
            with st.container():
                st.markdown(f"#### {plain(known.title)}")
                st.markdown(plain(known.story) + ".")
                st.caption(f"{count(len(known.columns) - 1, 'feature')} · {FAMILIES[known.model].title}")
            if st.button(
                "Open", key=f"open-{known.name}", help=f"Open the {known.title} demo", disabled=page_jobs.busy(), width="stretch"
            ):
                open_data.start_sample(known.name)
                st.rerun()
    with places[len(demos)].container(border=True, height="stretch", key="own"):
        st.markdown("#### Your own data")
        open_data.uploader("overview_upload")
        st.caption("One row per person. Then train a model on it, or bring your model too.")

    recent = session.recent()
    if recent:
        st.space("small")
        st.subheader("Open in this tab", help="What you opened since this tab was loaded. Runs and saved scenarios outlast it.")
    for item in recent:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"recent-{item.id}"):
            model = plain(item.scored.model.title) if item.scored else "no model yet"
            st.markdown(f"**{plain(item.dataset.title)}** · {count(len(item.dataset.raw), 'row')} · {model}", width="stretch")
            if st.button("Continue", key=f"continue-{item.id}"):
                session.keep(item)
                page_registry.go("data")
            what = f"Close {plain(item.dataset.title)} and delete its files"
            if item.sample is None and delete_button(f"table-{item.id}", what):
                close([item])
                session.attempt(partial(tab_runs.delete, [], [], item.files))
                st.rerun()

    st.space("small")
    earlier()


page_registry.show(page)
