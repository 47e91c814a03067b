"""The `discover` command, and in a wheel also the app that it serves: app.py, pages, ui and what they draw with."""
