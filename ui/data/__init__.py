"""The Data page: the group, the columns, who people are. It knows ui.app and no other page."""
