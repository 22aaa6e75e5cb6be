"""The colours of the page and of its pictures, for light and for dark.

Two hues for the two seats, one neutral scale for everything else, green and red only for what a
check says. The pairs are told apart by people with colour blindness, and text colours have a
contrast of at least 4.5 to 1 on every surface of their theme.
"""

from __future__ import annotations

from typing import Any

COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#fbfbf9", "#15171a"),
    "surface": ("#ffffff", "#1c1f23"),
    "sunken": ("#f2f2ee", "#101214"),
    "ink": ("#1b1d20", "#e9eaec"),
    "muted": ("#5a5f66", "#a3a8b0"),
    "line": ("#dcddd8", "#343940"),
    "edge": ("#868b92", "#757b84"),
    "link": ("#1a5a8e", "#8dc0ee"),
    "seat1": ("#1f64a6", "#6fb1ee"),
    "seat2": ("#b4500f", "#ee9b57"),
    "seat1-soft": ("#dfeaf5", "#1c3147"),
    "seat2-soft": ("#f8e6d8", "#452c19"),
    "good": ("#1b7340", "#63c58a"),
    "bad": ("#b3261e", "#ff8f85"),
    "bad-soft": ("#fbe9e7", "#43201d"),
    "card-j": ("#d9dade", "#474c54"),
    "card-q": ("#b3b6bd", "#6c727c"),
    "card-k": ("#676c75", "#a7adb6"),
    "card-a": ("#24272b", "#eef0f2"),
}
"""Each colour by name, light and dark."""


def painted(spec: Any, theme: int = 0) -> Any:
    """Replace every ``@name`` in a picture's description by that colour, 0 light or 1 dark."""
    if isinstance(spec, dict):
        return {key: painted(value, theme) for key, value in spec.items()}
    if isinstance(spec, list):
        return [painted(value, theme) for value in spec]
    if isinstance(spec, str) and spec.startswith("@"):
        return COLOURS[spec[1:]][theme]
    return spec
