"""Who made a saved scenario, and when a run was last begun, gone on with or ended."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    op.add_column("scenarios", sa.Column("maker", sa.String(64)))
    op.add_column("runs", sa.Column("changed", sa.Float))
