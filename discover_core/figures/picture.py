"""A figure that may be saved as a picture: with a title, room for the whole legend, and a ground of its own."""

from __future__ import annotations

import plotly.graph_objects as go

ROOM = 28  # pixels for the title
LETTER = 7.6  # pixels of a legend's letter in the widest of the fonts that a picture may be shown with
MOST = 40  # letters; longer names are not waited for


def pictured(figure: go.Figure, ground: str) -> go.Figure:
    """The figure, made ready. A page hides the title, which it says above the chart; the title's room is the toolbar's.

    A picture is drawn without the page's font, in a wider one: a legend measured with the page's would be cut off.
    """
    layout = figure.layout
    if layout.title.text is None and layout.meta is not None:
        title = {"text": layout.meta["title"], "font": {"size": 16}, "x": 0, "xref": "container"}
        layout.title = title | {"y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 12, "l": 10}}
        layout.margin.t += ROOM
        layout.height += ROOM
    named = [len(trace.name) for trace in figure.data if trace.name and trace.showlegend is not False]
    if named and layout.showlegend is not False:
        layout.legend.entrywidth = LETTER * min(MOST, max(named))
        layout.legend.update(
            {"yref": "container", "y": 1 - ROOM / layout.height, "yanchor": "top"}
        )  # below the title, however long
    layout.paper_bgcolor = ground
    return figure
