"""Where a scenario's table and model come from: something of ours, or a file beside the scenario."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Protocol, Self

import pandas as pd

from ..errors import InputError
from ..models.codes import check_codes
from ..models.model import Model
from ..models.questions import ChooseOutput
from ..models.settings import family_named
from ..problem.checks import whole
from ..problem.samples import load_sample, samples
from ..table.read import read_table
from ..table.schema import Schema
from .json_schema import build, check_names, plain

MOST_SEED = 2**32 - 1  # that every library takes


class FileSource(Protocol):
    """Where the files that a scenario names are found."""

    def get(self, name: str) -> Path:
        """Where the file can be read; an InputError when it is not there."""

    def table(self, name: str) -> pd.DataFrame:
        """The table in the file."""


@dataclass(frozen=True)
class Folder:
    """The files in a folder and below."""

    path: Path

    def get(self, name: str) -> Path:
        return file_in(self.path, name)

    def table(self, name: str) -> pd.DataFrame:
        return read_table(self.get(name), name)


@dataclass(frozen=True)
class SampleTable:
    """One of the data sets that come with the project."""

    sample: str

    def __post_init__(self) -> None:
        if self.sample not in samples():
            raise InputError(f"There is no sample “{self.sample}”: use one of {', '.join(samples())}.")

    def table(self, files: FileSource) -> pd.DataFrame:
        return load_sample(self.sample).table


@dataclass(frozen=True)
class TableFile:
    """A CSV, Parquet or Excel file; its path counts from the scenario's folder."""

    file: str

    def __post_init__(self) -> None:
        check_path(self.file)

    def table(self, files: FileSource) -> pd.DataFrame:
        return files.table(self.file)


@dataclass(frozen=True)
class TrainedModel:
    """A model to be trained on the table. Same seed, same model."""

    family: str
    seed: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        family_named(self.family).resolve(self.settings)
        whole("seed", self.seed, 0, MOST_SEED)

    def model(self, files: FileSource, table: pd.DataFrame, schema: Schema, approved: Collection[str] = ()) -> Model:
        from ..models.train import train_model  # scikit-learn takes seconds: only who trains waits

        return train_model(self.family, table, schema, self.seed, self.settings)


@dataclass(frozen=True)
class ModelFile:
    """A model file; its path counts from the scenario's folder.

    `mapping` and `output` answer what the file may ask back; `codes` say which number stands for which level of a column, by
    column and level, where the file does not say it and our guess is wrong. Nobody can approve unknown types or a pickle
    from here.
    """

    file: str
    mapping: Mapping[str, str] = field(default_factory=dict)
    output: int | str | None = None
    codes: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_path(self.file)
        check_codes(self.codes)
        if not all(isinstance(column, str) for column in self.mapping.values()):
            raise InputError("The mapping of the model must give, for each column it wants, the name of a column.")

    def model(self, files: FileSource, table: pd.DataFrame, schema: Schema, approved: Collection[str] = ()) -> Model:
        from ..models.load import check_model, load_model

        path = files.get(self.file)

        def read(output: int | str | None) -> Model:
            return load_model(path, schema, mapping=self.mapping or None, output=output, codes=self.codes, approved=approved)

        try:
            model = read(self.output)
        except ChooseOutput as question:  # the class that the schema names answers it
            if str(schema.positive) not in question.choices:
                raise
            model = read(str(schema.positive))
        check_model(model, table)
        return model


TableSource = SampleTable | TableFile
ModelSource = TrainedModel | ModelFile


@dataclass(frozen=True)
class ModelCopy:
    """What the data folder knows beside a scenario: a model's file, so that it need not be trained again, the types in it
    that a person trusted, and how good it is, in words."""

    model: ModelFile | None = None
    approved: tuple[str, ...] = ()
    quality: str = ""

    def to_json(self) -> str:
        model = None if self.model is None else source_to_dict(self.model)
        return json.dumps({"model": model, "approved": list(self.approved), "quality": self.quality})

    @classmethod
    def from_json(cls, text: str) -> Self:
        data = json.loads(text)
        model = None if data["model"] is None else build(ModelFile, data["model"], "model copy")
        return cls(model, tuple(data["approved"]), str(data.get("quality", "")))


NO_COPY = ModelCopy()


def table_source(data: Any) -> TableSource:
    check_names(data, ["sample", "file"], "data of the scenario", [])
    if len(data) != 1:
        raise InputError("The data of the scenario must name either a “sample” or a “file”.")
    what = "data of the scenario"
    return build(SampleTable, data, what) if "sample" in data else build(TableFile, data, what)


def model_source(data: Any) -> ModelSource:
    check_names(data, ["train", "file", "mapping", "output", "codes"], "model of the scenario", [])
    if ("train" in data) == ("file" in data):
        raise InputError("The model of the scenario must be either one to “train” or a “file”.")
    if "file" in data:
        return build(ModelFile, data, "model of the scenario")
    check_names(data, ["train"], "model to be trained", [])
    return build(TrainedModel, data["train"], "model to be trained")


def source_to_dict(source: TableSource | ModelSource) -> dict[str, Any]:
    content: dict[str, Any] = plain(asdict(source))
    if not content.get("codes"):
        content.pop("codes", None)  # as in files from before there were any
    return {"train": content} if isinstance(source, TrainedModel) else content


def check_path(text: str) -> None:
    """A path that stays inside the scenario's folder on every system: a scenario may come from somebody else."""
    parts = PurePosixPath(text).parts
    if not parts or "\0" in text or "\\" in text or ".." in parts or text.startswith("/") or PureWindowsPath(text).drive:
        raise InputError(
            f"The path “{text[:100]}” is not accepted: name a file in the scenario's folder or below, with “/” between folders."
        )


def file_in(folder: Path, text: str) -> Path:
    """The file that a checked path means. A link that leads out of the folder is refused, too."""
    path = folder / text
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        there = path.is_file()
    except (OSError, RuntimeError) as error:
        raise InputError(f"The file “{text[:100]}” cannot be opened: check its name.") from error
    if not inside:
        raise InputError(f"The file “{text[:100]}” is a link out of the scenario's folder: copy the file itself there.")
    if not there:
        raise InputError(f"The file “{text[:100]}” is not in the scenario's folder: put it there, or correct the path.")
    return path
