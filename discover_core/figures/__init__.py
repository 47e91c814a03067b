"""Data in, Plotly figure out: one file per figure, with its caption and the table behind it.

They draw what others worked out; they read no store and know no page.
"""
