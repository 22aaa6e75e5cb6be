"""The one kind of error that is the user's to mend."""

from __future__ import annotations

import operator
from typing import Any

BAD_INPUT = 2
"""The exit code for bad input."""


class InputError(ValueError):
    """Bad input, told in one sentence: what is wrong, where, and the way out.

    The command line prints the sentence and exits with code 2; the workflow does the same.
    """


def whole(value: Any, what: str) -> int:
    """Return a whole number as a Python integer, or raise `InputError`.

    NumPy's integers are taken; booleans, floats and text are not, for they would be cut or
    wrap round silently.
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise InputError(f"{what} must be a whole number, not {value!r}") from None
