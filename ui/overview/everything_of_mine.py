"""Delete everything of mine: the runs and saved scenarios of this browser and the uploads of this tab, from the disk."""

from __future__ import annotations

import streamlit as st

from discover_core.store.run import Run
from discover_core.store.saved_scenarios import SavedScenario

from ..app import open_files, page_jobs, session, tab_runs
from ..app.close_work import close
from ..app.maker import maker
from ..app.text import count


def everything_of_mine(runs: list[Run], saved: list[SavedScenario]) -> None:
    """The button, and what it would delete; nothing where there is nothing of mine."""
    me = maker()
    mine, brought = [item for item in saved if item.maker == me], open_files.brought()
    if not (runs or mine or brought):
        return
    with st.popover("Delete everything of mine", icon=":material/delete_forever:", type="tertiary", key="everything"):
        st.markdown(
            f"This deletes **{count(len(runs), 'run')}** that you started or opened in this browser, "
            f"**{count(len(mine), 'saved scenario')}** of yours and **{count(len(brought), 'file')}** of this tab, "
            "from the disk of this server and for everybody who has their address. What is at work is stopped. "
            "Files stay that somebody else's runs or scenarios need. It cannot be undone."
        )
        if st.button("Delete it all", key="sure-everything", type="primary"):
            session.attempt(lambda: _delete([run.id for run in runs], [item.id for item in mine]))
            st.rerun()


def _delete(runs: list[str], scenarios: list[str]) -> None:
    if page_jobs.busy():
        page_jobs.stop()
    names = open_files.brought()
    close(session.recent())
    st.session_state.pop("brought", None)
    tab_runs.delete(runs, scenarios, names)
    session.say("success", "Everything of yours was deleted.")
