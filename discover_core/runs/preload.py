"""What the server that workers are forked from loads once, so that a job need not."""

import discover_core.models  # noqa: F401
