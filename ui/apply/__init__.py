"""The Apply page: a policy for people it has never seen. It knows ui.app and no other page."""
