"""The Overview page: earlier work. It knows ui.app and no other page."""
