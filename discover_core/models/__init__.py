"""Anything that scores a DataFrame."""

from .evaluate import Report, evaluate_model
from .families import FAMILIES
from .load import load_model
from .model import Model, score
from .save import save_model
from .train import train_model

__all__ = ["FAMILIES", "Model", "Report", "evaluate_model", "load_model", "save_model", "score", "train_model"]
