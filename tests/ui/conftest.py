"""Streamlit's AppTest leaves its script behind as the main module, which processes started later would run again."""

import sys

import pytest


@pytest.fixture(autouse=True)
def main_module():
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before
