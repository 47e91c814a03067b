"""What several pages share: the session, the runs, the header, the charts. It knows no page's own widgets."""
