"""Distributional counterfactual explanations: `import discover_core as dc`."""

from typing import TYPE_CHECKING

from .errors import InputError
from .lazy import lazily

if TYPE_CHECKING:
    from .certificate import Certificate
    from .models import Model, load_model, save_model, train_model
    from .policy import Audit, Policy, audit, learn_policy, read_policy, split
    from .problem import Actionability, Bounds, Budget, Problem, Sample, Settings, Target, load_sample, samples
    from .scenario.scenario import Scenario
    from .solver import Result, Step, Verdict, run, solve
    from .table import Cohort, Column, Dataset, Encoding, Rule, Schema, read_table
    from .transport import Metrics, metrics

__getattr__ = lazily(
    __name__,
    {
        **dict.fromkeys(("Model", "load_model", "save_model", "train_model"), "models"),
        **dict.fromkeys(
            ("Actionability", "Bounds", "Budget", "Problem", "Sample", "Settings", "Target", "load_sample", "samples"), "problem"
        ),
        **dict.fromkeys(("Metrics", "metrics"), "transport"),
        **dict.fromkeys(("Certificate",), "certificate"),
        **dict.fromkeys(("Result", "Step", "Verdict", "run", "solve"), "solver"),
        "Outcome": "outcome",
        **dict.fromkeys(("Audit", "Policy", "audit", "learn_policy", "read_policy", "split"), "policy"),
        **dict.fromkeys(("Question", "Scenario", "Study"), "scenario"),
        **dict.fromkeys(("Cohort", "Column", "Dataset", "Encoding", "Rule", "Schema", "read_table"), "table"),
    },
)

__all__ = [
    "Actionability",
    "Audit",
    "Bounds",
    "Budget",
    "Certificate",
    "Cohort",
    "Column",
    "Dataset",
    "Encoding",
    "InputError",
    "Metrics",
    "Model",
    "Outcome",
    "Policy",
    "Problem",
    "Question",
    "Result",
    "Rule",
    "Sample",
    "Scenario",
    "Schema",
    "Settings",
    "Step",
    "Study",
    "Target",
    "Verdict",
    "audit",
    "learn_policy",
    "load_model",
    "load_sample",
    "metrics",
    "read_policy",
    "read_table",
    "run",
    "samples",
    "save_model",
    "solve",
    "split",
    "train_model",
]
