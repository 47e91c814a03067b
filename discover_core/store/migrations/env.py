"""What Alembic runs for a migration: the steps, on the connection that `upgrade` brought."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
