"""Plain names: what is requested of a run, its worker's token, what it amounts to, a server's heartbeat, a model's copy."""

from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.alter_column("runs", "wish", new_column_name="request")
    op.alter_column("runs", "owner", new_column_name="worker_token")
    op.alter_column("runs", "answer", new_column_name="summary")
    op.alter_column("servers", "beat", new_column_name="heartbeat")
    op.alter_column("runs", "kept", new_column_name="model_copy")
    op.alter_column("scenarios", "kept", new_column_name="model_copy")
