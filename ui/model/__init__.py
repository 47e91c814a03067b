"""The Model page: train one or bring one, and see how good it is. It knows ui.app and no other page."""
