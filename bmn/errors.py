"""The one kind of error that is the user's to mend."""

BAD_INPUT = 2
"""The exit code for bad input."""


class InputError(ValueError):
    """Bad input, told in one sentence: what is wrong, where, and the way out.

    The command line prints the sentence and exits with code 2; the workflow does the same.
    """
