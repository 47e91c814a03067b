"""Orders that words carry by themselves: low < medium < high, 0-5 < 5-10, never < always."""

from __future__ import annotations

import re

SCALES: tuple[tuple[str, ...], ...] = (
    ("very low", "low", "medium low", "medium", "moderate", "medium high", "high", "very high", "extreme"),
    ("none", "little", "some", "moderate", "quite rich", "rich"),
    ("tiny", "small", "medium", "large", "huge"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("never", "rarely", "seldom", "sometimes", "often", "usually", "always"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("very unsatisfied", "unsatisfied", "neutral", "satisfied", "very satisfied"),
    ("first", "second", "third", "fourth", "fifth"),
    ("bronze", "silver", "gold", "platinum"),
)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
LEAST = re.compile(r"^\s*(<|under|below|less|up to|no |none)", re.I)
MOST = re.compile(r"(>|over|above|more|greater|\+|plus)", re.I)
RANGE = re.compile(r"^\D{0,16}\d[\d.,]*\s*(\D{0,10}\d[\d.,]*)?\D{0,16}$")


def natural_order(levels: list[str]) -> list[str] | None:
    """The levels in the order their words give them, or None when they give none."""
    if len(levels) < 3:
        return None
    words = {level.strip().lower().replace("_", " "): level for level in levels}
    for scale in SCALES:
        if len(words) == len(levels) and set(words) <= set(scale):
            return [words[word] for word in scale if word in words]
    if all(RANGE.match(level) for level in levels) and any(
        re.search(r"[<>+\-–]|to|under|over|more|less|above|below|greater", level) for level in levels
    ):
        keys = [_range_key(level) for level in levels]
        if len(set(keys)) == len(keys):
            return [level for _, level in sorted(zip(keys, levels, strict=True))]
    return None


def _range_key(level: str) -> tuple[float, float]:
    """Where a range such as "<5", "5-10" or "10+" begins, and a tie-break for open ends."""
    numbers = [float(n) for n in NUMBER.findall(level)]
    opens = -1.0 if LEAST.search(level) else 1.0 if MOST.search(level) and len(numbers) == 1 else 0.0
    return (numbers[0], opens)
