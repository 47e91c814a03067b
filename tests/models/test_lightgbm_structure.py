"""LightGBM files whose parts do not fit together are refused before LightGBM sees them: it would end the process."""

import re

import numpy as np
import pytest

from discover_core.errors import InputError
from discover_core.models.load import load_model

from .small_models import light, rows, schema

PLAIN, CLASSES, CATEGORIES, LINEAR = range(4)


def changed(text: str, pattern: str, new: str) -> bytes:
    """With one line changed, and the trees where the header says."""
    again = re.sub(pattern, new, text, count=1, flags=re.M)
    assert again != text
    chunks = re.split(r"(?=^Tree=)", again.split("end of trees")[0], flags=re.M)[1:]
    return re.sub(
        r"tree_sizes=.*", "tree_sizes=" + " ".join(str(len(chunk.encode())) for chunk in chunks), again, count=1
    ).encode()


@pytest.mark.parametrize(
    ("kind", "pattern", "new", "words"),
    [
        (PLAIN, r"^split_gain=.*\n", "", "tree 0 lacks its split_gain"),
        (PLAIN, r"^internal_value=.*\n", "", "tree 0 lacks its internal_value"),
        (PLAIN, r"^leaf_count=\S+ ", "leaf_count=", "tree 0 has 5 numbers of leaf_count, not 6"),
        (PLAIN, r"^internal_weight=", "internal_weight=1 ", "tree 0 has 6 numbers of internal_weight, not 5"),
        (PLAIN, r"^threshold=\S+", "threshold=x", "something else than numbers"),
        (PLAIN, r"^num_leaves=6", "num_leaves=1000000000", "“1000000000” stands where"),
        (PLAIN, r"^left_child=\S+", "left_child=0", "tree 0 refers to a node that does not exist"),
        (PLAIN, r"^left_child=\S+", "left_child=77", "tree 0 refers to a node that does not exist"),
        (PLAIN, r"^left_child=\S+", "left_child=-77", "tree 0 refers to a leaf that does not exist"),
        (PLAIN, r"^left_child=\S+ \S+", "left_child=1 1", "tree 0 has a node with two parents"),
        (PLAIN, r"^left_child=\S+", "left_child=99999999999999", "whole numbers"),
        (PLAIN, r"^split_feature=\S+", "split_feature=4", "tree 0 asks for a feature that does not exist"),
        (PLAIN, r"^num_class=1", "num_class=1000000000", "“1000000000” stands where"),
        (PLAIN, r"^shrinkage=(.*)", r"shrinkage=\1\nshrinkage=1", "tree 0 says something twice"),
        (PLAIN, r"^max_feature_idx=3", "max_feature_idx=99\nmax_feature_idx=3", "say max_feature_idx twice"),
        (CLASSES, r"num_class:3", "num_class:9", "objective has another number of classes"),
        (CATEGORIES, r"^cat_boundaries=.*", "cat_boundaries=0 99", "tree . asks for categories that do not exist"),
        (CATEGORIES, r"^cat_boundaries=.*\n", "", "tree . asks for categories that do not exist"),
        (CATEGORIES, r"^num_cat=[1-9]", "num_cat=9", "tree . asks for categories that do not exist"),
        (CATEGORIES, r"^(threshold=(?:\S+ )*?)0( |$)", r"\g<1>7\2", "tree . asks for categories that do not exist"),
        (LINEAR, r"^num_features=[1-9]", "num_features=77", "the lines at the leaves of tree . do not fit"),
        (LINEAR, r"^leaf_features=\d", "leaf_features=9", "the lines at the leaves of tree . do not fit"),
        (LINEAR, r"^leaf_const=\S+", "leaf_const=abc", "tree 0 has something else than numbers as its leaf_const"),
        (LINEAR, r"^leaf_coeff=\S+", "leaf_coeff=e", "tree . has something else than numbers as its leaf_coeff"),
        (LINEAR, r"^leaf_const=\S+", "leaf_const=1e999", "tree 0 have numbers that are too large or too small"),
        (LINEAR, r"^leaf_coeff=\S+", "leaf_coeff=5e-324", "tree . have numbers that are too large or too small"),
        (LINEAR, r"^leaf_const=.*\n", "", "the lines at the leaves of tree 0 do not fit"),
        (PLAIN, r"^shrinkage=.*", "shrinkage=abc", "tree 0 has something else than numbers as its shrinkage"),
        (PLAIN, r"^shrinkage=.*", "shrinkage=é", "tree 0 has something else than numbers as its shrinkage"),
        (PLAIN, r"^shrinkage=.*", "shrinkage=1 2", "tree 0 has not one number as its shrinkage"),
        *(
            (PLAIN, rf"^{name}=\S+", f"{name}={half}", f"tree 0 has something else than numbers as its {name}")
            for name in ("split_gain", "threshold", "leaf_value", "leaf_weight", "internal_value", "internal_weight")
            for half in ("--1", "e", "+", "1" * 50)
        ),
        (PLAIN, r"^leaf_value=(\S+) \S+", r"leaf_value=\1 ", "tree 0 has 5 numbers of leaf_value, not 6"),
        (PLAIN, r"^is_linear=0", "is_linear=2", "“2” stands where"),
        (PLAIN, r"^num_cat=0", "num_dog=0", "tree 0 lacks its num_cat"),
        (PLAIN, r"^num_cat=0", "num_cat=0\nnum_dog=0", "tree 0 says “num_dog”, which no tree does"),
        (PLAIN, r"^num_cat=0", "\nnum_cat=0", "tree 0 does not end where it should"),
        (PLAIN, r"\n+(?=Tree=1)", "\n", "tree 0 does not end where it should"),
        (PLAIN, r"\n(?=Tree=0)", "\nTree=7\n", "tree 0 is not where it should be"),
        (PLAIN, r"^num_cat=0", "num_cat=0\r", "do not end as LightGBM ends them"),
        (PLAIN, r"^objective=.*", "objective= ", "its objective has no name"),
        (PLAIN, r"^objective=.*", "objective", "its first lines say nothing of objective"),
        (PLAIN, r"^(max_feature_idx=3)", r"\1\n=max_feature_idx=99", "“=max_feature_idx=99” stands in its first lines"),
        (PLAIN, r"^label_index=0", "label_index=0\x0bmax_feature_idx=99", "say two things of label_index"),
    ],
)
def test_what_does_not_fit_is_refused(kind: int, pattern: str, new: str, words: str) -> None:
    with pytest.raises(InputError, match=rf"“m\.txt” is a damaged LightGBM model: .*{words}.*save it again"):
        load_model(changed(light()[kind], pattern, new), schema(), "m.txt")


@pytest.mark.parametrize("kind", range(4))
def test_what_fits_is_not(kind: int) -> None:
    model = load_model(light()[kind].encode(), schema(), "m.txt", output=1 if kind == CLASSES else None)
    assert len(np.unique(model(rows()))) > 1
