"""Names of the user's in Markdown and HTML: text, whatever they look like."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.app.text import TURNS, UNSEEN, plain, plain_html


def shown(markdown: str) -> str:
    """What a reader of Markdown sees of escaped text."""
    return re.sub(r"\\(.)", r"\1", markdown).replace(UNSEEN, "")


@given(st.text())
def test_plain_text_shows_exactly_it(text: str):
    text = text.replace(UNSEEN, "")
    assert shown(plain(text)) == " ".join(TURNS.sub("", text).split())


@pytest.mark.parametrize(
    "text", ["http://evil.example/a", "see HTTPS://evil.example", "www.evil.example", "a.b+c@evil.example", "x_@y.z"]
)
def test_no_address_becomes_a_link(text: str):
    """Markdown makes links of these by themselves, also when their signs are escaped."""
    drawn = re.sub(r"\\(.)", r"\1", plain(text))
    assert not re.search(r"(?i)https?://|www\.|[-.\w+]@", drawn)
    assert shown(plain(text)) == text


@pytest.mark.parametrize("text", ["50% of 3", "e-mail me @ noon", "Größe (cm)", "א ב", "🙂 a:b"])
def test_other_text_is_left_alone(text: str):
    assert re.sub(r"\\(.)", r"\1", plain(text)) == text


def test_what_follows_a_name_keeps_its_direction():
    assert plain("a\u202eb\u2066") == "ab"
    assert plain_html("<b>\u202e&") == "&lt;b&gt;&amp;"
