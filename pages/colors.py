"""Colors that can be read: a merchant's color, made to fit what stands on it and behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass


READABLE = 4.5
"""The least contrast between a text and its ground (WCAG 2, AA)."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_STEPS = 20


@dataclass(frozen=True, slots=True)
class Color:
    """Red, green and blue from 0 to 255."""

    red: int
    green: int
    blue: int

    @classmethod
    def parse(cls, text: object) -> Color | None:
        """``#rgb`` or ``#rrggbb``; None for anything else."""
        if not isinstance(text, str) or not _HEX.fullmatch(text):
            return None
        digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
        return cls(*(int(digits[at : at + 2], 16) for at in (0, 2, 4)))

    @property
    def css(self) -> str:
        """As a style sheet writes it."""
        return f"#{self.red:02x}{self.green:02x}{self.blue:02x}"

    @property
    def luminance(self) -> float:
        """How bright it is, from 0 to 1."""
        red, green, blue = (_linear(part / 255) for part in (self.red, self.green, self.blue))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    def contrast(self, other: Color) -> float:
        """From 1 (the same) to 21 (black on white)."""
        dark, bright = sorted((self.luminance, other.luminance))
        return (bright + 0.05) / (dark + 0.05)

    def towards(self, other: Color, share: float) -> Color:
        """Mixed with so much of the other color."""
        pairs = ((self.red, other.red), (self.green, other.green), (self.blue, other.blue))
        return Color(*(round(mine + (its - mine) * share) for mine, its in pairs))


WHITE, BLACK = Color(255, 255, 255), Color(0, 0, 0)


def on(ground: Color) -> Color:
    """The color of a text on this ground: the one of white and near-black that is read better."""
    ink = Color(16, 20, 24)
    return WHITE if ground.contrast(WHITE) >= ground.contrast(ink) else ink


def readable(color: Color, ground: Color) -> Color:
    """The color, as little darker or brighter as a text on this ground needs."""
    goal = BLACK if ground.luminance > 0.5 else WHITE
    for step in range(_STEPS):
        mixed = color.towards(goal, step / _STEPS)
        if mixed.contrast(ground) >= READABLE:
            return mixed
    return goal


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
