"""Work that happens outside the page."""

from .jobs import Job, Progress

__all__ = ["Job", "Progress"]
