"""Opening any file as a model: an InputError or a model, nothing else."""

import os
import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
import skops.io
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from discover_core.errors import InputError
from discover_core.models import load
from discover_core.models.load import EXTENSIONS, check_model, load_model

from .nasty import nasty

TABLE, SCHEMA = nasty()
NUMBERS = TABLE[["Age in years", "Rate [%]", "Stars"]]
FITTED = LogisticRegression(max_iter=500).fit(NUMBERS, TABLE["Risk"])


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_empty_file(extension: str) -> None:
    with pytest.raises(InputError, match="is empty"):
        load_model(b"", SCHEMA, "m" + extension)


@settings(max_examples=25, deadline=None)
@given(
    extension=st.sampled_from([*EXTENSIONS, ".exe", ""]),
    start=st.sampled_from([b"", b"{", b"{L", b"tree\n", b"PK\x03\x04", b"\x08\x07"]),
    rest=st.binary(max_size=200),
)
def test_random_bytes(extension: str, start: bytes, rest: bytes) -> None:
    with pytest.raises(InputError):
        load_model(start + rest, SCHEMA, "m" + extension, allow_pickle=extension != ".onnx" and not rest)


def test_a_path_and_a_name(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    path.write_bytes(skops.io.dumps(FITTED))
    model = load_model(path, SCHEMA)
    assert model.title == "model.skops"
    assert np.array_equal(model(TABLE), FITTED.predict_proba(NUMBERS)[:, 0])
    assert load_model(str(path), SCHEMA, "Ours.SKOPS").title == "Ours.SKOPS"
    check_model(model, TABLE)
    with pytest.raises(InputError, match=r"“gone\.skops” cannot be opened"):
        load_model(tmp_path / "gone.skops", SCHEMA)
    with pytest.raises(InputError, match="cannot be opened"):
        load_model(tmp_path, SCHEMA)
    with pytest.raises(InputError, match=r"no kind of model file"):
        load_model(path, SCHEMA, "model.docx")


def test_without_a_name_the_content_decides() -> None:
    assert load_model(skops.io.dumps(FITTED), SCHEMA).family == "scikit-learn"


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "MAX_BYTES", 1000)
    path = tmp_path / "m.skops"
    path.write_bytes(os.urandom(1001))
    for source in (path, path.read_bytes()):
        with pytest.raises(InputError, match="at most"):
            load_model(source, SCHEMA, "m.skops")


def test_a_zip_that_is_no_skops_file_and_one_that_explodes() -> None:
    def zipped(**entries: bytes) -> bytes:
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in entries.items():
                archive.writestr(name.replace("_", "."), content)
        return buffer.getvalue()

    with pytest.raises(InputError, match="holds no skops model"):
        load_model(zipped(a_txt=b"hello"), SCHEMA, "m.skops")
    with pytest.raises(InputError, match="not a skops file"):
        load_model(zipped(schema_json=b"{}"), SCHEMA, "m.skops")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("discover_core.models.skops_model.MAX_UNPACKED", 1_000_000)
        with pytest.raises(InputError, match="unpacks to"):
            load_model(zipped(schema_json=b"{}", big_npy=bytes(2_000_000)), SCHEMA, "m.skops")


@pytest.mark.parametrize("cut", [10, 500, -1])
def test_a_cut_off_skops_file(cut: int) -> None:
    with pytest.raises(InputError, match=r"m\.skops"):
        load_model(skops.io.dumps(FITTED)[:cut], SCHEMA, "m.skops")
