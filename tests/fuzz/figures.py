"""What became of the cases, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from .case import Verdict


def figures(verdicts: Sequence[Verdict]) -> str:
    """A line per kind of file, and one for all."""
    kinds = list(dict.fromkeys(verdict.kind for verdict in verdicts))
    lines = ["| kind | cases | read | refused | findings | slowest | most memory |", "|---|---|---|---|---|---|---|"]
    lines += [_line(kind, [verdict for verdict in verdicts if verdict.kind == kind]) for kind in kinds]
    return "\n".join([*lines, _line("all", verdicts)])


def _line(kind: str, verdicts: Sequence[Verdict]) -> str:
    counts = [sum(verdict.ending == ending for verdict in verdicts) for ending in ("read", "refused", "finding")]
    seconds, most = max(one.seconds for one in verdicts), max(one.megabytes for one in verdicts)
    return f"| {kind} | {len(verdicts):,} | {' | '.join(f'{count:,}' for count in counts)} | {seconds:.1f} s | {most:,.0f} MB |"
