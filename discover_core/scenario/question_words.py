"""A question in plain words."""

from __future__ import annotations

from ..problem.amounts import amount
from ..problem.words import allowed_sentences
from ..table.cohort import Cohort, Rule
from ..table.values import as_text
from .scenario import Scenario
from .target_specification import Beta, Decision, Quantiles, ReferenceGroup, Shift, TargetSpecification, Threshold, Values


def target_words(specification: TargetSpecification) -> str:
    """What is wished for, to follow "so that"."""
    if isinstance(specification, Threshold):
        clear = f", those who move clearing it by {specification.margin:.4g}" if specification.margin else ""
        return (
            f"{100 * specification.share:.4g}% of the scores are {_side(specification.side, 'at')} {specification.tau:.4g}{clear}"
        )
    if isinstance(specification, Decision):
        return f"everybody's score is {_side(specification.side, 'on')} {specification.tau:.4g}"
    if isinstance(specification, ReferenceGroup):
        return f"the scores look like those of others ({cohort_words(specification.cohort)})"
    if isinstance(specification, Shift):
        by = f"{'+' if specification.by >= 0 else ''}{amount(specification.by)}"
        moved = f"the scores move by {by}" if specification.by or specification.scale == 1 else "the scores keep their mean"
        return moved if specification.scale == 1 else f"{moved} and spread {specification.scale:.4g} times as far"
    if isinstance(specification, Beta):
        return f"the scores look like a Beta({specification.a:.4g}, {specification.b:.4g}) distribution"
    if isinstance(specification, Quantiles):
        return "the scores follow the distribution you drew"
    if isinstance(specification, Values):
        return f"the scores look like the {len(specification.values):,} values you gave"
    raise TypeError(f"no words for {type(specification).__name__}")


def _side(side: str, kind: str) -> str:
    if kind == "at":
        return "at least" if side == "above" else "at most"
    return "at or above" if side == "above" else "below"


def question_sentence(specification: TargetSpecification, people: int | None) -> str:
    """What was asked, in one sentence. Before a run has begun nobody may know how many people it is about."""
    who = "the group" if people is None else f"the group of {people:,} {'person' if people == 1 else 'people'}"
    return f"Change {who} so that {target_words(specification)}."


def question_facts(scenario: Scenario, model: str, quality: str) -> str:
    """Group, locks, bounds and model in one line, to stand below the sentence."""
    locked, features = sum(rule.mode == "locked" for rule in scenario.actions), len(scenario.actions.allowed)
    parts = [
        cohort_words(scenario.cohort),
        f"{locked:,} of {features:,} features locked" if locked else f"none of {features:,} features locked",
        f"inputs within {amount(scenario.bounds.u_x)}, scores within {amount(scenario.bounds.u_y)} (squared)",
        f"{model}, {quality}" if quality else model,
    ]
    return " · ".join(part for part in parts if part)


def question_lines(scenario: Scenario, data: str, model: str, quality: str) -> list[tuple[str, str]]:
    """Everything that belongs to the question, each with its heading."""
    bounds, settings = scenario.bounds, scenario.settings
    band = "" if bounds.band == "dkw" else ", by an approximation that is no guarantee"
    ends = f", the highest and lowest {100 * bounds.delta:.4g}% left out" if bounds.delta else ""
    return [
        ("Group", f"{data}: {cohort_words(scenario.cohort)}" if data else cohort_words(scenario.cohort)),
        ("Outcome", target_words(scenario.target)),
        ("May change", " ".join(allowed_sentences(scenario.actions))),
        (
            "How close",
            f"inputs within {amount(bounds.u_x)} (U_x), scores within {amount(bounds.u_y)} (U_y), both squared distances, with "
            f"{100 * (1 - bounds.alpha):.4g}% confidence{ends}{band}",
        ),
        ("Model", f"{model}, {quality}" if quality else model),
        (
            "Search",
            f"up to {settings.iterations:,} iterations of {settings.k:,} people, {settings.candidates:,} tries each, "
            f"seed {settings.seed}",
        ),
    ]


def cohort_words(cohort: Cohort) -> str:
    """Who is meant: rules, score, sample."""
    join = " and " if cohort.match == "all" else " or "
    rules = join.join(_rule_words(rule) for rule in cohort.rules)
    if cohort.rules and cohort.score_side is not None and len(cohort.rules) > 1 and cohort.match == "any":
        rules = f"({rules})"
    score = "" if cohort.score_side is None else f"score {cohort.score_side} {amount(cohort.score_value)}"
    who = " and ".join(part for part in (rules, score) if part) or "everybody in the table"
    return who if cohort.sample is None else f"{who}; at most {cohort.sample:,} of them, drawn at random"


def _rule_words(rule: Rule) -> str:
    values = rule.value if isinstance(rule.value, tuple) else (rule.value,)
    said = [amount(value) if isinstance(value, float) else as_text(value) for value in values]
    if rule.comparison == "between":
        return f"{rule.column} between {said[0]} and {said[1]}"
    words = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
    return f"{rule.column} {words.get(rule.comparison, rule.comparison)} {' or '.join(said)}"
