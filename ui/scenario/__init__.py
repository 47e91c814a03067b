"""The Scenario page: what may change, the target, the bounds, the budget. It knows ui.app and no other page."""
