"""A question in words: who, what, how close, by which model."""

from dataclasses import replace

import discover_core as dc
from discover_core.scenario import ModelCopy, Question
from discover_core.scenario.question_words import question_facts, question_lines, question_sentence

from ..workers.scenarios import demo


def test_the_question_and_its_facts():
    scenario = demo()
    question = Question("", scenario, "German Credit", "XGBoost", ModelCopy(quality="AUC 0.76"))
    assert question_sentence(scenario.target, 200).startswith(
        "Change the group of 200 people so that 50% of the scores are at most 0.5"
    )
    assert question_sentence(scenario.target, 1).startswith("Change the group of 1 person so that")
    assert question_sentence(scenario.target, None).startswith("Change the group so that")
    facts = question_facts(question)
    assert facts == (
        "score above 0.5; at most 200 of them, drawn at random · 11 of 20 features locked · "
        "inputs within 0.54, scores within 0.0198 (squared) · XGBoost, AUC 0.76"
    )
    free = replace(scenario, actions=dc.Actionability.free(scenario.schema))
    assert "none of 20 features locked" in question_facts(Question("", free, model_title="XGBoost"))
    lines = dict(question_lines(question))
    assert lines["Group"].startswith("German Credit: score above 0.5")
    assert lines["Model"] == "XGBoost, AUC 0.76"
    assert "95% confidence, the highest and lowest 15% left out" in lines["How close"]
    assert "Purpose" in lines["May change"]


def test_limits_of_the_plan_are_part_of_the_question():
    budget = dc.Budget(people=10, features=1, effort=2.5, total_effort=1_200, untouched=(3, 8), first="Age")
    question = Question("", replace(demo(), budget=budget), model_title="XGBoost")
    words = (
        "at most 10 people, at most 1 feature each, effort of at most 2.5 each, effort of at most 1,200 in all, "
        "2 people not touched, those with the highest “Age” first"
    )
    assert f" · {words} · inputs within" in question_facts(question)
    assert dict(question_lines(question))["Limits of the plan"] == words
    without = dict(question_lines(Question("", demo())))
    assert "Limits of the plan" not in without
    assert "Rules between columns" not in without
