"""Charts that are redrawn while one looks at them.

`st.plotly_chart` takes a chart whose data changed for another one: it is mounted anew, which flickers and loses the zoom
(Streamlit 1.67, its pull request 16052 is open). Here the same figure goes to Plotly's own redraw.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import plotly
import streamlit as st

from discover_core.figures.config import chart_config
from discover_core.figures.replay import Frame

from .assets import ASSETS

LIBRARY = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
SERVED = ASSETS.parent / "static" / "plotly.min.js"
TOOLS_LEFT_OUT = ["zoomIn2d", "zoomOut2d", "autoScale2d", "select2d", "lasso2d"]  # a short bar leaves the legend free
SOURCE = f"app/static/plotly.min.js?{plotly.__version__}"

_component = st.components.v2.component(
    "live_chart",
    html=(ASSETS / "chart.html").read_text(encoding="utf-8"),
    css=(ASSETS / "chart.css").read_text(encoding="utf-8"),
    js=(ASSETS / "chart.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def live_chart(figure: Any, key: str, frames: Sequence[Frame] | None = None, *, fit: bool = False) -> None:
    """A figure that is redrawn in place. With `frames` a button replays them; with `fit` the height follows the window.

    `layout.height` is then the most: the chart ends above the window's lower edge as long as nobody scrolls.
    """
    if served():
        given = {
            "figure": figure.to_json(),
            "config": chart_config(responsive=False, modeBarButtonsToRemove=TOOLS_LEFT_OUT),
            "source": SOURCE,
        }
        _component(key=key, data=given | {"frames": list(frames or ()), "fit": fit})
    else:
        st.plotly_chart(figure, key=key, width="stretch", config=chart_config())


def fetch_ahead(soon: bool) -> None:
    """Let the browser fetch Plotly while the user reads, so that the first live chart need not wait for it.

    Only where there may be a live chart `soon` is it also read, which makes a page busy."""
    if served():
        _component(key="fetch-ahead", data={"source": SOURCE, "soon": soon})


@st.cache_resource
def served() -> bool:
    """Whether browsers can fetch Plotly from us: once per server it is copied to where Streamlit serves it from."""
    if not st.get_option("server.enableStaticServing"):
        return False
    try:
        if not SERVED.exists() or SERVED.stat().st_size != LIBRARY.stat().st_size:
            unfinished = SERVED.with_suffix(f".{os.getpid()}")
            shutil.copyfile(LIBRARY, unfinished)
            unfinished.replace(SERVED)
    except OSError:
        return False
    return True
