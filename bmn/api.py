"""The public functions for dealing, playing and searching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from bmn import reference, shuffle
from bmn.cards import STANDARD, Deck, hands_of
from bmn.chunks import Search, play_tables
from bmn.errors import InputError, whole
from bmn.game import DEFAULT_CAP, ENDINGS, Game
from bmn.rules import STANDARD as STANDARD_RULES
from bmn.rules import Rules, rules_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

MAX_CAP = (2**31 - 1) // STANDARD.size
"""The largest cap: beyond it card plays could outgrow the 31 bits the fingerprint gives them."""


def deal(seed: int) -> str:
    """Return the deal of a seed in the notation ``HAND/HAND``.

    Parameters
    ----------
    seed
        0 to 2**64 - 1.

    Raises
    ------
    InputError
        If the seed is out of range.

    Examples
    --------
    >>> bmn.deal(0)
    '---A-----J-J-K-J-J---Q--K-/-AA---QA---KQ-Q----------K'
    """
    return str(shuffle.deal_seed(seed))


def play(
    deal: str | Sequence[bytes],
    *,
    cap: int = DEFAULT_CAP,
    rules: str | Mapping | Rules = STANDARD_RULES,
    engine: Literal["fast", "reference"] = "fast",
) -> Game:
    """Play one deal to its end.

    Parameters
    ----------
    deal
        Hands of any size in the notation ``HAND/HAND``, top card first; the first leads.
    cap
        Tricks after which an undecided game is given up, 1 to 41,297,762.
    rules
        A rule set, its name (one of `bmn.rules.RULE_SETS`), or the rules in which it differs
        from the standard ones.
    engine
        ``fast`` for the compiled engine, ``reference`` for the slow implementation.

    Returns
    -------
    Game
        Counts, winner and ending; ``finished`` is false if the game was capped.

    Raises
    ------
    InputError
        If the deal or an argument is malformed.

    Examples
    --------
    >>> bmn.play("J-/--Q")
    Game(tricks=2, card_plays=7, winner=1, ending='dry')
    """
    rules = rules_of(rules)
    hands = hands_of(deal, rules.players)
    cap = check_cap(cap)
    if engine == "reference":
        return reference.play(hands, cap=cap, rules=rules)
    if engine != "fast":
        raise InputError(f"there is no engine {engine!r}; choose 'fast' or 'reference'")
    if not rules.standard_play:
        from bmn.explore import general

        return general.play(hands, rules, cap)
    from bmn import _engine

    tricks, card_plays, winner, ending, violations = _engine.play(*hands, cap)
    if violations:
        raise RuntimeError(f"the engine broke an invariant on {hands}; please report this")
    return Game(tricks, card_plays, winner, ENDINGS[ending])


def play_many(
    deals: np.ndarray,
    *,
    cap: int = DEFAULT_CAP,
    kernel: str | None = None,
    split: int | None = None,
) -> pd.DataFrame:
    """Play many stated deals of the same size, as fast as a search.

    Parameters
    ----------
    deals
        Array of uint8, shape (n, m): a deal a row, the first hand before the second, each top
        card first; values 0 for a plain card and 1 to 4 for J Q K A.
    cap
        Tricks after which an undecided game is given up, 1 to 41,297,762.
    kernel
        One of `bmn.kernels`; by default ``$BMN_KERNEL``, or the fastest this CPU can run. Deals
        that do not fit its words are played by another.
    split
        Cards of the first hand; by default half of them.

    Returns
    -------
    pandas.DataFrame
        A row per deal: ``tricks`` and ``card_plays`` (uint64), ``winner`` (uint8), ``ending``
        (categorical: dry, capture, capped).

    Raises
    ------
    InputError
        If the array or an argument is malformed.

    Examples
    --------
    >>> import numpy as np
    >>> bmn.play_many(np.array([[1, 0, 0, 1], [1, 1, 0, 0]], np.uint8))
       tricks  card_plays  winner   ending
    0       2           5       0      dry
    1       3           5       0  capture
    """
    import pandas as pd

    from bmn import _engine

    games = _engine.play_many(deals, check_cap(cap), kernel, split=split)
    if games.pop("violation").any():
        raise RuntimeError("the engine broke an invariant; please report this")
    games["ending"] = pd.Categorical.from_codes(games["ending"], ENDINGS)
    return pd.DataFrame(games)


def kernels() -> tuple[str, ...]:
    """Name the kernels of the engine that this CPU can run, fastest first."""
    from bmn import _engine

    return _engine.kernels()


def search(
    first_seed: int,
    seeds: int,
    *,
    cap: int = DEFAULT_CAP,
    kernel: str | None = None,
    deck: Deck | str | Sequence[int] | None = None,
    rules: str | Mapping | Rules = STANDARD_RULES,
) -> pd.DataFrame:
    """Play the deals of a range of seeds and return their length table.

    Parameters
    ----------
    first_seed, seeds
        The seeds ``first_seed`` to ``first_seed + seeds - 1``, within 64 bits.
    cap
        Tricks after which an undecided game is given up, 1 to 41,297,762.
    kernel
        One of `bmn.kernels`; by default ``$BMN_KERNEL``, or the fastest this CPU can run.
        All give the same table.
    deck
        The five counts of the deck the seeds shuffle; by default that of the rules.
    rules
        A rule set, its name, or the rules in which it differs from the standard ones.

    Returns
    -------
    pandas.DataFrame
        One row per (finished, tricks): ``deals``, ``card_plays``, ``captures``,
        ``leader_wins``, ``violations``, ``fingerprint``, ``first_seed`` and
        ``first_seed_card_plays``, all unsigned 64-bit integers.

    Raises
    ------
    InputError
        If an argument is out of range.
    """
    import pandas as pd

    rules = rules_of(rules)
    deck = rules.deck if deck is None else Deck.parse(deck)
    plan = Search(first_seed, seeds, check_cap(cap), deck, rules)
    if kernel and not rules.standard_play:
        raise InputError(
            f"the kernel {kernel!r} plays only the standard rules; leave it out, since other rules "
            "have a kernel of their own"
        )
    tables, _ = play_tables(plan, kernel)
    return pd.DataFrame(tables.lengths)


def fingerprint(table: pd.DataFrame) -> int:
    """Return the order-independent fingerprint of a length table, or of many concatenated.

    The fingerprint is the sum over all seeds of ``mix64(seed * 0x9E3779B97F4A7C15 + (tricks <<
    32 | card_plays << 1 | winner))`` mod 2**64, so any decomposition of the same seeds gives the
    same number and one wrong count changes it.
    """
    return int(table["fingerprint"].to_numpy("uint64").sum(dtype="uint64"))


def check_cap(cap: int) -> int:
    """Return the cap, or raise `InputError` if it is out of range."""
    cap = whole(cap, "the cap")
    if not 1 <= cap <= MAX_CAP:
        raise InputError(f"the cap {cap} is out of range; choose 1 to {MAX_CAP} tricks")
    return cap
