"""skops files: scikit-learn objects without pickle. Only types on a list are ever made from a file."""

from __future__ import annotations

import importlib
import io
import zipfile
from collections.abc import Collection
from typing import Any

from ..errors import InputError
from .loaded import Origin, quietly
from .questions import UnknownTypes
from .skops_content import check_nodes, check_uses
from .skops_structure import check_parts

MAX_UNPACKED = 1_000_000_000
LONGEST, DEEPEST = 200, 10  # letters and parts of a type's name: importing a longer one takes a call per part
PACKAGES = ("sklearn", "xgboost", "lightgbm")  # whose classes a user may approve, except in these parts:
NOT_FROM = {"tests", "testing", "conftest", "datasets", "externals", "tracker", "collective", "dask", "spark"}

KNOWN_SAFE = frozenset(
    {
        "collections.OrderedDict",
        "collections.defaultdict",
        "numpy.dtype",
        "numpy.number",
        "lightgbm.basic.Booster",
        "lightgbm.sklearn.LGBMClassifier",
        "lightgbm.sklearn.LGBMRegressor",
        "xgboost.core.Booster",
        "xgboost.sklearn.XGBClassifier",
        "xgboost.sklearn.XGBRegressor",
        "xgboost.sklearn.XGBRFClassifier",
        "xgboost.sklearn.XGBRFRegressor",
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.calibration._SigmoidCalibration",
        "sklearn.ensemble._hist_gradient_boosting.binning._BinMapper",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.feature_selection._univariate_selection.f_classif",
        "sklearn.feature_selection._univariate_selection.f_regression",
        "sklearn.gaussian_process.kernels.ConstantKernel",
        "sklearn.gaussian_process.kernels.Matern",
        "sklearn.gaussian_process.kernels.Product",
        "sklearn.gaussian_process.kernels.RBF",
        "sklearn.gaussian_process.kernels.Sum",
        "sklearn.gaussian_process.kernels.WhiteKernel",
        "sklearn.metrics._dist_metrics.EuclideanDistance64",
        "sklearn.metrics._scorer._PassthroughScorer",
        "sklearn.model_selection._split.KFold",
        "sklearn.model_selection._split.StratifiedKFold",
        "sklearn.neighbors._ball_tree.BallTree",
        "sklearn.neighbors._kd_tree.KDTree",
        "sklearn.neural_network._stochastic_optimizers.AdamOptimizer",
        "sklearn.neural_network._stochastic_optimizers.SGDOptimizer",
        "sklearn.tree._tree.Tree",
        "sklearn.utils._bunch.Bunch",
    }
)


def read_skops(origin: Origin, approved: Collection[str], anything: bool) -> Any:
    """The object in the file. `anything`: the operator lets users approve any type, and models call and open what they like."""
    import skops.io  # takes a second: only who needs it waits

    sentence = f'“{origin.title}” is not a skops file that can be read: save the model with skops.io.dump(model, "model.skops")'
    quietly(lambda: _check_size(origin), sentence)
    found = quietly(lambda: skops.io.get_untrusted_types(data=origin.data), sentence)
    unknown = [name for name in found if name not in KNOWN_SAFE]
    refused = [] if anything else [name for name in unknown if not may_be_approved(name)]
    if refused:
        raise InputError(
            f"“{origin.title}” holds “{refused[0]}”, which could run code from the file and is never loaded: "
            "save a model made only of scikit-learn, XGBoost and LightGBM classes."
        )
    if not anything:
        quietly(lambda: check_nodes(origin), sentence)
    open_questions = [name for name in unknown if name not in approved]
    if open_questions:
        raise UnknownTypes(open_questions)
    quietly(lambda: check_parts(origin), sentence)
    loaded = quietly(lambda: skops.io.loads(origin.data, trusted=found), sentence)
    if not anything:
        quietly(lambda: check_uses(origin, loaded), sentence)
    return loaded


def may_be_approved(name: str) -> bool:
    """Only a class that is really defined in one of the known packages, under exactly this name; never a function."""
    module, _, last = name.rpartition(".")
    if len(name) > LONGEST or name.count(".") >= DEEPEST:
        return False
    parts = module.split(".")
    named = all(part.isidentifier() for part in parts)
    if parts[0] not in PACKAGES or not named or NOT_FROM & {part.strip("_") for part in parts}:
        return False
    try:
        found = getattr(importlib.import_module(module), last)
    except (ImportError, AttributeError):
        return False
    return isinstance(found, type) and f"{found.__module__}.{found.__qualname__}" == name


def _check_size(origin: Origin) -> None:
    with zipfile.ZipFile(io.BytesIO(origin.data)) as archive:
        names = archive.namelist()
        unpacked = sum(entry.file_size for entry in archive.infolist())
    if "schema.json" not in names:
        raise InputError(f"“{origin.title}” is a zip file but holds no skops model.")
    if unpacked > MAX_UNPACKED:
        raise InputError(f"“{origin.title}” unpacks to {unpacked / 1e9:,.1f} GB: at most {MAX_UNPACKED / 1e9:g} GB can be read.")
