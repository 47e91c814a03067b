"""No chart offers to send itself to Plotly's servers: every place that draws one takes the one shared configuration."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from discover_core.figures.config import chart_config

ROOT = Path(__file__).resolve().parents[2]
SHARED = "chart_config"
DRAW = {"plotly_chart", "to_html", "write_html"}  # whatever puts a figure and its toolbar before somebody


def sources() -> Iterator[Path]:
    yield ROOT / "app.py"
    for folder in ("ui", "pages", "discover_core"):
        yield from sorted((ROOT / folder).rglob("*.py"))


def drawing_calls(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DRAW:
            yield node


def is_shared(source: str, given: ast.expr) -> bool:
    """Whether an argument is a call of the shared function, or a name that is bound to nothing else in this file."""
    if isinstance(given, ast.Call):
        return isinstance(given.func, ast.Name) and given.func.id == SHARED
    bound = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Assign)
        and isinstance(given, ast.Name)
        and given.id in {getattr(t, "id", "") for t in node.targets}
    ]
    return bool(bound) and all(isinstance(value, ast.Call) and is_shared(source, value) for value in bound)


def careless(source: str) -> list[int]:
    """The lines on which a chart is drawn without the shared configuration."""
    lines = []
    for call in drawing_calls(source):
        given = [keyword.value for keyword in call.keywords if keyword.arg == "config"]
        if not given or not is_shared(source, given[0]):
            lines.append(call.lineno)
    return lines


def test_every_chart_takes_the_shared_configuration() -> None:
    drawn = {path: list(drawing_calls(path.read_text(encoding="utf-8"))) for path in sources()}
    assert sum(map(len, drawn.values())) >= 7
    assert {str(path): careless(path.read_text(encoding="utf-8")) for path in drawn if drawn[path]} == {
        str(path): [] for path in drawn if drawn[path]
    }
    script = (ROOT / "assets" / "chart.js").read_text(encoding="utf-8")
    assert "this.config" in script
    assert "displaylogo" not in script, "live charts take what Python gives them, not a configuration of their own"


@pytest.mark.parametrize(
    "source",
    [
        "st.plotly_chart(figure)",
        "st.plotly_chart(figure, config={'displaylogo': False})",
        "config = {'displaylogo': False}\nst.plotly_chart(figure, config=config)",
        "figure.write_html('chart.html')",
    ],
)
def test_a_chart_with_another_configuration_is_found(source: str) -> None:
    assert careless(source) == [source.count("\n") + 1]


def test_nothing_can_switch_the_upload_on() -> None:
    assert chart_config()["showSendToCloud"] is False
    own = chart_config(showSendToCloud=True, displayModeBar=False)
    assert own == {"showSendToCloud": False, "displaylogo": False, "displayModeBar": False}
