"""The tables of the store. Whoever changes one adds the step that brings older stores there: see `migrations`."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

SERVERS = Table(
    "servers",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("host", String(200), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("heartbeat", Float, nullable=False),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("request", String(10)),
    Column("sentence", Text),
    Column("server", String(32)),
    Column("worker_token", String(32)),  # the worker that may write
    Column("pid", Integer),
    Column("created", Float, nullable=False),
    Column("queued", Float, nullable=False),
    Column("seconds", Float, nullable=False, default=0.0),  # spent solving, pauses left out
    Column("done", Integer, nullable=False, default=-1),  # the last iteration
    Column("iterations", Integer, nullable=False),
    Column("more", Boolean, nullable=False, default=False),  # somebody went on for more than was asked at first
    Column("scenario", Text, nullable=False),
    Column("model_copy", Text, nullable=False),
    Column("data_title", Text, nullable=False),
    Column("model_title", Text, nullable=False),
    Column("saved", String(32)),
    Column("head", LargeBinary),
    Column("summary", Text),
    Column("policy", LargeBinary),  # what its policy tells everybody of the group
    Column("changed", Float),  # when it was last begun, gone on with or ended; runs of before did not say
)

STEPS = Table(
    "steps",
    METADATA,
    Column("run", String(32), ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("iteration", Integer, primary_key=True),
    *(Column(name, Float, nullable=False) for name in ("q", "q_x", "q_y", "q_before", "ucl_x", "ucl_y", "eta", "low", "high")),
    Column("feasible", Boolean, nullable=False),
    Column("model_rows", Integer, nullable=False),
    Column("still", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("random", Text, nullable=False),
    Column("arrays", LargeBinary, nullable=False),
)

SCENARIOS = Table(
    "scenarios",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("model_copy", Text, nullable=False),
    Column("data_title", Text, nullable=False),
    Column("model_title", Text, nullable=False),
    Column("maker", String(64)),  # the hash of its maker's secret; scenarios of before belong to nobody
    Index("scenarios_by_change", "changed"),
)
