"""The deals other people published, and a few constructed ones, each with its source."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from bmn.cards import Deal


@cache
def known_deals() -> tuple[dict, ...]:
    """Return every known deal with its published and recomputed counts.

    Returns
    -------
    tuple of dict
        ``name``, ``hand_first``, ``hand_second``, ``n_cards``, ``terminates``, ``source``; for
        a deal that ends ``tricks``, ``card_plays``, ``winner``, ``ending``, ``tricks_mann``,
        ``cards_mann``, ``pile_at_end``; for one that does not, ``preperiod_tricks``,
        ``period_tricks``, ``period_cards``, ``period_tricks_seat_normalised``; where something
        was published, ``published`` with its convention.
    """
    return tuple(json.loads(files("bmn").joinpath("data/known_deals.json").read_text("utf-8")))


def deal_of(known: dict) -> Deal:
    """Return the deal of an entry of `known_deals`."""
    return Deal.parse(f"{known['hand_first']}/{known['hand_second']}")
