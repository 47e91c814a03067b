"""The tables as the first version made them. It did not say its number, so they may be there already."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("host", sa.String(200), nullable=False),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("beat", sa.Float, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("wish", sa.String(10)),
        sa.Column("sentence", sa.Text),
        sa.Column("server", sa.String(32)),
        sa.Column("owner", sa.String(32)),
        sa.Column("pid", sa.Integer),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("queued", sa.Float, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("iterations", sa.Integer, nullable=False),
        sa.Column("more", sa.Boolean, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("kept", sa.Text, nullable=False),
        sa.Column("data_title", sa.Text, nullable=False),
        sa.Column("model_title", sa.Text, nullable=False),
        sa.Column("saved", sa.String(32)),
        sa.Column("head", sa.LargeBinary),
        sa.Column("answer", sa.Text),
        if_not_exists=True,
    )
    op.create_index("ix_runs_state", "runs", ["state"], if_not_exists=True)
    op.create_table(
        "steps",
        sa.Column("run", sa.String(32), sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("iteration", sa.Integer, primary_key=True),
        sa.Column("q", sa.Float, nullable=False),
        sa.Column("q_x", sa.Float, nullable=False),
        sa.Column("q_y", sa.Float, nullable=False),
        sa.Column("q_before", sa.Float, nullable=False),
        sa.Column("ucl_x", sa.Float, nullable=False),
        sa.Column("ucl_y", sa.Float, nullable=False),
        sa.Column("eta", sa.Float, nullable=False),
        sa.Column("low", sa.Float, nullable=False),
        sa.Column("high", sa.Float, nullable=False),
        sa.Column("feasible", sa.Boolean, nullable=False),
        sa.Column("model_rows", sa.Integer, nullable=False),
        sa.Column("still", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("random", sa.Text, nullable=False),
        sa.Column("arrays", sa.LargeBinary, nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "scenarios",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("kept", sa.Text, nullable=False),
        sa.Column("data_title", sa.Text, nullable=False),
        sa.Column("model_title", sa.Text, nullable=False),
        if_not_exists=True,
    )
    op.create_index("scenarios_by_change", "scenarios", ["changed"], if_not_exists=True)
