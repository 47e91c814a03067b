"""How good the model is, in numbers, figures and sentences."""

from __future__ import annotations

import numpy as np
import streamlit as st

from discover_core.figures import calibration, residuals, roc, scores
from discover_core.figures.config import chart_config
from discover_core.figures.text import amount
from discover_core.models.evaluate import Report
from discover_core.scenario.sources import ModelFile

from ..app import session
from ..app.text import count, plain
from .model_codes import model_codes

HELP = {
    "AUC": "How often a random positive case scores above a random negative one: 0.5 is guessing, 1 is perfect.",
    "Accuracy": "Share of rows on the right side of 0.5.",
    "Brier score": "Mean squared distance between the probability and what happened: 0 is perfect, 0.25 is a coin toss.",
    "R²": "Share of the outcome's variation that the model explains: 1 is perfect, 0 is no better than the mean.",
    "Mean error": "How far a prediction is off on average, in the outcome's own unit.",
    "Root mean square error": "Like the mean error, but large misses count more.",
}


def model_report(current: session.Work) -> None:
    assert current.scored is not None
    model, report = current.scored.model, current.scored.model.report
    st.header(plain(model.title))
    st.markdown(f"Its score is the **{plain(model.output)}**.")
    for note in model.notes:
        st.caption(plain(note))
    model_codes(current)
    if report is None:
        st.info("There is no outcome to measure the model against. Choose one on the Data page, then load the model again.")
    else:
        _numbers(report)
        _figures(current, report)
    group_scores(current)
    if current.scored.file is not None:
        content, extension = current.scored.file
        said = isinstance(current.scored.source, ModelFile) and bool(current.scored.source.codes)
        st.download_button(
            f"Download the model ({extension})",
            content,
            f"model{extension}",
            "application/octet-stream",
            key=f"download-model-{current.id}",
            on_click="ignore",
            help="The file as you brought it. It does not hold the numbers you corrected here; an exported scenario does."
            if said
            else "In the safe format of its kind: opening it runs no code. Loaded here again, it gives the same scores.",
        )


def _numbers(report: Report) -> None:
    shown = {
        "AUC": report.auc,
        "Accuracy": report.accuracy,
        "Brier score": report.brier,
        "R²": report.r2,
        "Mean error": report.mae,
        "Root mean square error": report.rmse,
    }
    known = {label: value for label, value in shown.items() if value is not None}
    if not report.held_out:
        st.warning("These numbers may flatter: the model may have been trained on the same rows.")
    if known:
        for place, (label, value) in zip(st.columns(max(len(known), 3)), known.items(), strict=False):
            text = (
                f"{100 * value:.1f}%"
                if label == "Accuracy"
                else f"{value:.3f}"
                if report.task == "binary" or label == "R²"
                else amount(value, report.unit)
            )
            place.metric(label, text, help=HELP[label], border=True)
    st.caption(f"{plain(report.note)} {count(report.test_rows, 'row')}.".strip())


def _figures(current: session.Work, report: Report) -> None:
    if report.task == "regression":
        _figure("Predicted and real", residuals.residual_figure(report), residuals.caption(report), f"residuals-{current.id}")
        return
    left, middle, right = st.columns(3, gap="medium")
    with left:
        _figure(
            "Ranking (ROC)",
            roc.roc_figure(report),
            roc.caption(report),
            f"roc-{current.id}",
            "The higher above the diagonal, the better the ranking.",
        )
    with middle:
        _figure(
            "Calibration",
            calibration.calibration_figure(report),
            calibration.caption(report),
            f"calibration-{current.id}",
            "On the diagonal, of all people with a score of 30% three in ten really had the outcome.",
        )
    with right:
        _figure(
            "Scores by outcome",
            scores.score_figure(report),
            scores.caption(report),
            f"scores-{current.id}",
            "The less the two overlap, the better.",
        )


def group_scores(current: session.Work) -> None:
    """The group's scores against everybody's."""
    assert current.scored is not None
    everybody = current.scored.scores
    if not current.decided:
        st.caption("Once the group is chosen on the Data page, its scores show here against everybody's.")
        return
    problem = session.problem_of(lambda: current.group)
    if problem:
        st.warning(plain(problem))
        return
    group = everybody[current.group] if len(current.group) else np.empty(0)
    threshold = 0.5 if current.scored.model.interval == (0.0, 1.0) else None
    dark = st.context.theme.type == "dark"
    _figure(
        "The group against everybody",
        scores.cohort_scores_figure(everybody, group, threshold, dark),
        scores.cohort_caption(everybody, group, threshold),
        f"group-scores-{current.id}",
        "The group is chosen on the Data page.",
    )


def _figure(title: str, figure: object, caption: str, key: str, why: str | None = None) -> None:
    st.subheader(title, help=why)
    st.plotly_chart(figure, key=key, width="stretch", config=chart_config(), alt=caption)
    st.caption(plain(caption))
