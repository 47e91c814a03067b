"""What the certificate says, and that its numbers are right."""

import math
import re

import numpy as np
import pytest

from discover_core.certificate.confidence import confidence
from discover_core.certificate.limits import Limiter
from discover_core.certificate.statement import certify, impossible
from discover_core.problem.amounts import amount
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target


def case(n, bounds, seed=0, target=None, interval=(0.0, 1.0)):
    rng = np.random.default_rng(seed)
    factual = np.sort(rng.normal(size=(bounds.slices, n)), axis=1)
    near = np.sort(factual + rng.normal(0, 0.1, factual.shape), axis=1)
    target = Target.reference_group(rng.random(n)) if target is None else target
    return Limiter(bounds, factual, target, interval), near, np.sort(rng.random(n))


def input_limit(n, **changes):
    made, near, _ = case(n, Bounds(1, 1, **changes))
    return made.input_limit(near, made.bounds.alpha)


@pytest.mark.parametrize(("alpha", "delta", "slices"), [(0.05, 0.15, 20), (0.1, 0.1, 10), (0.01, 0.3, 50), (0.05, 0.4, 1)])
def test_an_impossible_wish_names_what_would_make_it_possible(alpha, delta, slices):
    bounds = Bounds(1, 1, alpha, delta, slices)
    said = impossible(bounds, 30)
    rows = int(re.search(r"at least ([\d,]+) rows", said)[1].replace(",", ""))
    assert math.isfinite(input_limit(rows, alpha=alpha, delta=delta, slices=slices))
    assert math.isinf(input_limit(rows - 1, alpha=alpha, delta=delta, slices=slices))
    if rows > 30:
        trimming = re.search(r"a trimming above (\d\.\d+)", said)
        if trimming:
            assert math.isfinite(input_limit(30, alpha=alpha, delta=float(trimming[1]) + 0.001, slices=slices))
            assert math.isinf(input_limit(30, alpha=alpha, delta=float(trimming[1]) - 0.001, slices=slices))
    short = impossible(bounds, rows - 1)
    most = re.search(r"at most ([\d,]+) slices", short)
    if slices > 1:
        count = int(most[1].replace(",", ""))
        assert math.isfinite(input_limit(rows - 1, alpha=alpha, delta=delta, slices=count))
        assert math.isinf(input_limit(rows - 1, alpha=alpha, delta=delta, slices=count + 1))


def test_about_180_rows_are_needed_at_the_default_bounds():
    assert "at least 180 rows" in impossible(Bounds(1, 1), 50)
    assert "looser" in impossible(Bounds(1, 1, delta=0.0), 1)


def test_every_state_has_its_sentence():
    made, near, outputs = case(400, Bounds(2, 1))
    good = certify(made, near, outputs)
    assert good.certified
    assert good.sentence.startswith("Certified for the middle 70% of the group with confidence 97.5% on each side")
    tight, near, outputs = case(400, Bounds(1e-6, 1e-6))
    bad = certify(tight, near, outputs)
    assert not bad.certified
    assert bad.achieved is None
    assert f"{amount(bad.ucl_x - 1e-6)} and the output limit" in bad.sentence
    large, near, outputs = case(400, Bounds(2e6, 1e-6))
    assert "(allowed" not in certify(large, near, outputs).sentence
    wide, near, outputs = case(400, Bounds(2e6, 3e7))
    assert "allowed 2,000,000" in certify(wide, near, outputs).sentence  # never an exponent
    half, near, outputs = case(400, Bounds(2, 1e-6))
    assert "input limit" not in certify(half, near, outputs).sentence
    few, near, outputs = case(50, Bounds(2, 1))
    assert certify(few, near, outputs).sentence == f"Not certified: {impossible(few.bounds, 50)}"
    boot, near, outputs = case(50, Bounds(2, 1, band="bootstrap"))
    assert "no guarantee" in certify(boot, near, outputs).sentence
    assert "ertified" not in certify(boot, near, outputs).sentence
    for target, words in (
        (Target.reference_group([0.5] * 20), "20 target values"),
        (Target.reference_group([0.5] * 112), "112 target values"),
    ):
        free, near, outputs = case(400, Bounds(2, 1), target=target, interval=None)
        said = certify(free, near, outputs).sentence
        assert words in said
        assert "inf " not in said
        assert "at least 113 rows and as many target values" in said
    enough, near, outputs = case(400, Bounds(2, 1), target=Target.reference_group([0.5] * 113), interval=None)
    assert math.isfinite(certify(enough, near, outputs).ucl_y)


@pytest.mark.parametrize("band", ["dkw", "bootstrap"])
@pytest.mark.slow
def test_achieved_confidence_agrees_with_certify_and_rises_with_the_bounds(band):
    before = 0.0
    for u in np.geomspace(0.01, 3, 25):
        made, near, outputs = case(300, Bounds(u, u, band=band))
        found = certify(made, near, outputs)
        achieved = found.achieved or 0.0
        assert achieved >= before
        before = achieved
        assert found.certified == (achieved >= 1 - made.bounds.alpha / 2)
        if found.achieved is not None and 0.5 < achieved < 1 - 1e-9:
            alpha = 2 * (1 - achieved)
            assert max(made.limits(near, outputs, alpha * (1 + 1e-6))) <= u
            if band == "dkw":
                assert max(made.limits(near, outputs, alpha * 0.999)) > u


def test_achieved_confidence_is_none_when_nothing_holds():
    made, near, outputs = case(50, Bounds(1e-9, 1e-9, band="bootstrap"))
    assert confidence(made, near, outputs).both is None
