"""What a chart's toolbar offers in a browser: one place for all charts."""

from __future__ import annotations

from typing import Any

QUIET: dict[str, Any] = {
    "displaylogo": False,
    "showSendToCloud": False,  # Plotly would offer to upload the chart, and with it people's data, to its own servers
}


def chart_config(**own: Any) -> dict[str, Any]:
    """Plotly's `config` for a chart, with what only this chart wants; nothing leaves the machine in any of them."""
    return {**own, **QUIET}
