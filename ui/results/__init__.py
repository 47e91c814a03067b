"""The Results page: the answer, view by view. It knows ui.app and no other page."""
