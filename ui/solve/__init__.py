"""The Solve page: a run as it happens. It knows ui.app and no other page."""
