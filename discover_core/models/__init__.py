"""Anything that scores a DataFrame: trained here or brought along, with how good it is, saved in a way that runs no code.

It knows tables, but nothing of what may change or is wished for. Names are loaded when first used: scikit-learn takes seconds.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .evaluate import Report, evaluate_model
    from .load import load_model
    from .model import Model, score
    from .save import save_model
    from .settings import FAMILIES
    from .train import train_model

__all__ = ["FAMILIES", "Model", "Report", "evaluate_model", "load_model", "save_model", "score", "train_model"]

__getattr__ = lazily(
    __name__,
    {
        "FAMILIES": "settings",
        "Model": "model",
        "Report": "evaluate",
        "evaluate_model": "evaluate",
        "load_model": "load",
        "save_model": "save",
        "score": "model",
        "train_model": "train",
    },
)
