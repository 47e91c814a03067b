"""Results: did it work, how sure are we, who changes what, what does it cost, how far do fewer get, and why these people."""

import streamlit as st

from discover_core.errors import InputError
from discover_core.store.row_check import Damaged
from ui.app import page_registry, question, tab_runs
from ui.app.choice import choose_one
from ui.app.damaged_box import damaged_box
from ui.app.run_end import trouble
from ui.app.text import plain
from ui.results.ahead import work_ahead
from ui.results.answer import answer, in_words, whose_plan
from ui.results.distances import distances
from ui.results.marked_people import marked_bar
from ui.results.people import moves, plan, unusual
from ui.results.policy import policy
from ui.results.search import feature_by_feature, scores, search, who_bears_it
from ui.results.tradeoff import tradeoff

VIEWS = {
    "plan": ":material/list_alt: The plan",
    "tradeoff": ":material/trending_up: Trade-off",
    "policy": ":material/policy: Policy",
    "people": ":material/group: People",
    "scores": ":material/show_chart: Scores and features",
    "search": ":material/timeline: The search",
    "differences": ":material/balance: Who bears it",
}
PICTURES = {"svg": "SVG", "png": "PNG"}


def page() -> None:
    run = tab_runs.shown()
    if run is None:
        st.title("Results")
        st.markdown("There is no result yet. Solve a question first, or open the address of a run.")
        st.page_link("pages/solve.py", label="Go to solve", icon=":material/play_circle:")
        return
    if run.damage is not None:
        damaged_box(run, run.damage)
        return
    try:
        found = tab_runs.outcome(run)
    except Damaged as error:
        damaged_box(run, str(error))
        return
    except InputError as error:
        question.question(run.question, None)
        trouble(run)
        st.info(plain(error))
        st.page_link("pages/solve.py", label="Watch the run", icon=":material/play_circle:")
        return
    question.question(run.question, len(found.outputs))
    question.say_of_draft(run)
    answer(found)
    shown = whose_plan(found)
    in_words(shown)
    key = f"{run.id}-{found.iteration}-{found.progress.done}{'' if shown is found else '-policy'}"
    view = choose_one("Look at", VIEWS, "plan", "result_view", label_visibility="collapsed", persist_state="session")
    marked_bar(len(found.outputs))
    if view == "plan":
        plan(shown, key)
    elif view == "tradeoff":
        tradeoff(shown, key)
    elif view == "policy":
        policy(found, key)
    elif view == "people":
        distances(shown)
        moves(shown, key)
        unusual(shown)
    elif view == "scores":
        scores(shown)
        feature_by_feature(shown, key)
    elif view == "search":
        search(found, key)
    else:
        who_bears_it(shown, key)
    choose_one("Pictures are saved as", PICTURES, "svg", "picture", persist_state="session")
    work_ahead(shown)


page_registry.show(page)
