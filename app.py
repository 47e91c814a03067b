"""The front door: which pages there are, and what they share."""


def main() -> None:
    import streamlit as st

    from discover_core.errors import InputError
    from ui.app import address, bounds_advice, browser_memory, open_data, page_jobs, page_registry, session, tab_runs
    from ui.app.assets import ASSETS
    from ui.app.chart import fetch_ahead
    from ui.app.header import done, header
    from ui.app.preload import preload
    from ui.app.text import plain

    page_registry.enter()
    page_registry.dress()
    st.logo(ASSETS / "logo.svg", size="large")
    page_jobs.collect()
    try:
        tab_runs.runner()
        tab_runs.open_address()
    except InputError as error:  # without its data folder there is nothing the app could do
        st.navigation(list(page_registry.pages().values()), position="top")
        st.error(plain(error))
        return
    demo = st.query_params.get("demo")
    if demo and address.came_back():
        session.go_back_to(demo)
    pages = page_registry.pages(done())
    page = st.navigation(list(pages.values()), position="top")

    current, run = session.current(), tab_runs.current()
    if current is None and not page_jobs.busy() and not st.session_state.get("asked"):
        if run is not None and page not in (pages["solve"], pages["results"]):
            st.session_state["asked"] = True
            tab_runs.reopen(run)
        elif run is None and demo:
            st.session_state["asked"] = True
            open_data.start_sample(demo, stay=page is not pages["overview"])
    address.keep(demo if current is None else current.sample, run)
    wanted = st.session_state.pop("go_to", None)
    if wanted is not None and pages[wanted] is not page:
        page_registry.go(wanted)

    if page is not pages["data"]:
        session.refresh_columns()

    header(page.title)
    with st.container():
        place = page_jobs.panel()
    with st.container():
        try:
            page.run()
        except InputError as error:  # the store is gone, or its disk
            st.error(plain(error))
    browser_memory.remember(listen=page in (pages["overview"], pages["solve"], pages["results"]))
    address.one_step_back()
    fetch_ahead(soon=page is pages["solve"])
    preload()
    if page in (pages["data"], pages["model"]):
        bounds_advice.advise_ahead()
    page_jobs.follow(place)


if __name__ == "__main__":  # worker processes import this file under another name: keep it free of other work
    main()
