"""What an audited policy tells everybody of a run's group."""

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    op.add_column("runs", sa.Column("policy", sa.LargeBinary))
