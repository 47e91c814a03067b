"""The command line: `python -m discover_core solve scenario.json` and `python -m discover_core apply policy.json people.csv`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .errors import InputError
from .report.folder import check_folder, make_folder, write_folder
from .scenario.scenario import Scenario
from .solver.result import Result, Story
from .solver.solve import solve
from .solver.step import Step

REACHED, BAD_INPUT, NOT_REACHED, INTERRUPTED = 0, 2, 3, 130
HEADS = ("iteration", "Q", "OT(x)", "OT(y)", "limit x", "limit y", "eta", "feasible")


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0: the wish is met within both bounds, 3: it is not, 2: bad input."""
    parser = argparse.ArgumentParser(prog="python -m discover_core", description="DISCOVER without the page.")
    commands = parser.add_subparsers(required=True, metavar="command")
    add_solve(commands)
    add_apply(commands)
    given = parser.parse_args(arguments)
    code: int = given.command(given)
    return code


def add_solve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command `solve` for a parser; what it gives has the function to call as `command`."""
    solving = commands.add_parser("solve", help="run a scenario and write its result folder")
    solving.add_argument("scenario", help="a scenario.json")
    solving.add_argument("--out", metavar="FOLDER", help="a new or empty folder; default: <scenario>-result beside it")
    solving.add_argument("--quiet", action="store_true", help="only the conclusion")
    solving.set_defaults(command=_solve)


def add_apply(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command `apply`, likewise."""
    applying = commands.add_parser("apply", help="apply a policy to everybody in a file and write a line per person")
    applying.add_argument("policy", help="a policy.json, its model's file beside it")
    applying.add_argument("people", help="a CSV, Parquet or .xlsx file with the columns that the policy needs")
    applying.add_argument("--out", metavar="FILE", help="the plan, as CSV; default: <people>-plan.csv beside them")
    applying.add_argument("--quiet", action="store_true", help="only the conclusion")
    applying.set_defaults(command=_apply)


def _apply(given: argparse.Namespace) -> int:
    from .policy.apply_file import apply_file

    people = Path(given.people)
    out = Path(given.out) if given.out else people.with_name(f"{people.stem}-plan.csv")

    def progress(done: int, total: int) -> None:
        print(f"{done:,} of {total:,} rows", file=sys.stderr, flush=True)

    try:
        applied = apply_file(Path(given.policy), people, out, None if given.quiet else progress)
    except InputError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("Stopped before there was anything to write.", file=sys.stderr)
        return INTERRUPTED
    if applied.stopped:
        print(f"Stopped by hand; {applied.lines:,} lines were written to {out}.", file=sys.stderr)
        return INTERRUPTED
    for sentence in (applied.sentence, applied.audit, applied.whom, *(f"Warning: {warning}" for warning in applied.warnings)):
        print(sentence)
    print(f"Written to {out}")
    return REACHED


def _solve(given: argparse.Namespace) -> int:
    try:
        return solve_file(Path(given.scenario), given.out, given.quiet)
    except InputError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("Stopped before there was anything to write.", file=sys.stderr)
        return INTERRUPTED


def solve_file(scenario_file: Path, out: str | None, quiet: bool) -> int:
    """Read, solve, write. Ctrl+C and a model that fails in the middle end the run; what was reached is written."""
    scenario = Scenario.read(scenario_file)
    folder = Path(out) if out else scenario_file.with_name(f"{scenario_file.stem}-result")
    check_folder(folder)
    problem = scenario.problem()
    make_folder(folder)
    story = Story(problem, scenario.settings)
    error, stopped = None, False
    if not quiet:
        print(f"{len(problem.rows):,} rows, {getattr(problem.model, 'title', 'model')}")
        print("  ".join(f"{head:>9}" for head in HEADS), flush=True)
    try:
        for step in solve(problem, scenario.settings):
            story.add(step)
            if not quiet:
                print(line(step), flush=True)
    except KeyboardInterrupt:
        stopped = True
    except InputError as failure:
        error = str(failure)
    if story.best is None:
        raise KeyboardInterrupt if error is None else InputError(error)
    result = story.result(error, stopped)
    write_folder(folder, scenario, result, stopped)
    _conclude(result, folder, stopped)
    return REACHED if result.verdict.met and result.feasible else NOT_REACHED


def line(step: Step) -> str:
    """One iteration in one line."""
    numbers = (step.q, step.q_x, step.q_y, step.ucl_x, step.ucl_y, step.eta)
    cells = [str(step.iteration), *(f"{number:.5f}" for number in numbers), "yes" if step.feasible else "no"]
    return "  ".join(f"{cell:>9}" for cell in cells)


def _conclude(result: Result, folder: Path, stopped: bool) -> None:
    if stopped:
        print("Stopped by hand; what was reached is written.", file=sys.stderr)
    if result.error is not None:
        print(f"The run ended early: {result.error}", file=sys.stderr)
    print(result.verdict.sentence)
    print(result.verdict.certificate)
    for way in result.verdict.help:
        print(f"What would help: {way}")
    for sentence in result.problem.rule_words:
        print(f"Rule {sentence}")
    print(result.certificate.sentence)
    print(f"Written to {folder}")


if __name__ == "__main__":
    sys.exit(main())
