"""A question in plain words."""

from __future__ import annotations

from ..problem.amounts import amount, percent
from ..problem.audit_plan import AuditPlan
from ..problem.budget_words import budget_words
from ..problem.cohort_words import cohort_words
from ..problem.targets import TargetSpecification
from ..problem.words import allowed_sentences
from .question import Question


def question_sentence(specification: TargetSpecification, people: int | None) -> str:
    """What was asked, in one sentence. Before a run has begun nobody may know how many people it is about."""
    who = "the group" if people is None else f"the group of {people:,} {'person' if people == 1 else 'people'}"
    return f"Change {who} so that {specification.words}."


def question_facts(question: Question) -> str:
    """Group, locks, limits, bounds and model in one line, to stand below the sentence."""
    scenario = question.scenario
    locked, features = sum(rule.mode == "locked" for rule in scenario.actions), len(scenario.actions.allowed)
    parts = [
        cohort_words(scenario.cohort),
        f"{locked:,} of {features:,} features locked" if locked else f"none of {features:,} features locked",
        ", ".join(budget_words(scenario.budget)),
        _rules(len(scenario.rules)),
        f"inputs within {amount(scenario.bounds.u_x)}, scores within {amount(scenario.bounds.u_y)} (squared)",
        _model(question),
    ]
    return " · ".join(part for part in parts if part)


def question_lines(question: Question) -> list[tuple[str, str]]:
    """Everything that belongs to the question, each with its heading."""
    scenario, data = question.scenario, question.data_title
    bounds, settings = scenario.bounds, scenario.settings
    band = "" if bounds.band == "dkw" else ", by an approximation that is no guarantee"
    ends = f", the highest and lowest {100 * bounds.delta:.4g}% left out" if bounds.delta else ""
    limits, rules = ", ".join(budget_words(scenario.budget)), "; ".join(scenario.rules)
    return [
        ("Group", f"{data}: {cohort_words(scenario.cohort)}" if data else cohort_words(scenario.cohort)),
        ("Outcome", scenario.target.words),
        ("May change", " ".join(allowed_sentences(scenario.actions))),
        *([("Limits of the plan", limits)] if limits else []),
        *([("Rules between columns", rules)] if rules else []),
        (
            "How close",
            f"inputs within {amount(bounds.u_x)} (U_x), scores within {amount(bounds.u_y)} (U_y), both squared distances, with "
            f"{100 * (1 - bounds.alpha):.4g}% confidence{ends}{band}",
        ),
        ("Audit", _audit(scenario.audit)),
        ("Model", _model(question)),
        (
            "Search",
            f"up to {settings.iterations:,} iterations of {settings.k:,} people, {settings.candidates:,} tries each, "
            f"seed {settings.seed}",
        ),
    ]


def _audit(plan: AuditPlan | None) -> str:
    """How part of the group is kept apart to test the answer on."""
    if plan is None:
        return "none: the answer is not tried on anybody else"
    kind = "changes for each person" if plan.kind == "personal" else f"at most {plan.programmes:,} shared measures"
    return f"{percent(plan.share)} of the group kept apart, nobody changes by more than {amount(plan.effort)}, {kind}"


def _rules(count: int) -> str:
    return f"{count:,} {'rule' if count == 1 else 'rules'} between columns" if count else ""


def _model(question: Question) -> str:
    return ", ".join(part for part in (question.model_title, question.model_copy.quality) if part)
