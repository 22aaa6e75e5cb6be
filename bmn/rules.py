"""Rule sets as data: everything in which one way of playing differs from another.

The standard rules are those of the 1911 Encyclopaedia Britannica as read by the published record
tables. A rule set also says which deck is shuffled and how it is dealt, so that a seed gives a
deal under every rule set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Any, Literal, get_args, get_type_hints

from bmn.cards import CAMICIA, HALF, Deal, Deck
from bmn.cards import STANDARD as STANDARD_DECK
from bmn.errors import InputError, whole
from bmn.shuffle import shuffle_deck

MAX_PLAYERS = 16
"""The most players a rule set may have."""


@dataclass(frozen=True)
class Rules:
    """One way of playing.

    Attributes
    ----------
    deck
        The cards a seed shuffles.
    players
        How many play, clockwise, 2 to `MAX_PLAYERS`.
    dealing
        ``alternate``: the cards go round one by one; ``blocks``: each player gets a run of
        neighbouring cards (the halves of the deck for two players). If the deck does not divide
        evenly, the first players get one card more.
    top
        Which card of a hand lies on top: the one dealt ``first`` or ``last``.
    leader
        The player who leads the first trick; player 0 is dealt the first card.
    penalties
        How many cards each card demands: plain, J, Q, K, A.
    pile
        How a won pile goes under the hand: ``as played`` (the first card played comes back
        first) or ``reversed``.
    next_leader
        Who leads after a trick: the ``taker`` of the pile or the ``payer``.
    ends
        ``cannot play``: a player is out when they must play and have no card; ``empty hand``:
        the game of two ends as soon as one has no card, whatever they laid last.
    stop_tricks
        House rule: stop after so many tricks; whoever holds more cards wins, equal is a draw.
    stop_on_repeat
        House rule: stop, with the same result, at the first position that was there before
        (all hands in order, and who leads).
    """

    deck: Deck = STANDARD_DECK
    players: int = 2
    dealing: Literal["alternate", "blocks"] = "alternate"
    top: Literal["first", "last"] = "first"
    leader: int = 0
    penalties: tuple[int, ...] = (0, 1, 2, 3, 4)
    pile: Literal["as played", "reversed"] = "as played"
    next_leader: Literal["taker", "payer"] = "taker"
    ends: Literal["cannot play", "empty hand"] = "cannot play"
    stop_tricks: int | None = None
    stop_on_repeat: bool = False

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(Rules).items():
            choices, value = get_args(kind), getattr(self, name)
            if choices and all(isinstance(c, str) for c in choices) and value not in choices:
                raise InputError(
                    f"the rule {name!r} cannot be {value!r}; choose {' or '.join(choices)}"
                )
        for name in ("players", "leader", "stop_tricks"):
            if name != "stop_tricks" or self.stop_tricks is not None:
                object.__setattr__(self, name, whole(getattr(self, name), f"the rule {name!r}"))
        if not isinstance(self.stop_on_repeat, bool):
            raise InputError(
                f"the rule 'stop_on_repeat' cannot be {self.stop_on_repeat!r}; choose true or false"
            )
        if not 2 <= self.players <= MAX_PLAYERS:
            raise InputError(f"{self.players} players cannot play; choose 2 to {MAX_PLAYERS}")
        if not 0 <= self.leader < self.players:
            raise InputError(f"player {self.leader} cannot lead; choose 0 to {self.players - 1}")
        given = self.penalties if isinstance(self.penalties, list | tuple) else ()
        object.__setattr__(self, "penalties", tuple(whole(p, "a penalty") for p in given))
        if len(given) != 5 or not all(0 <= p <= 255 for p in self.penalties):
            raise InputError(
                f"the penalties {list(self.penalties)} are not five numbers from 0 to 255; "
                "give one each for - J Q K A"
            )
        if self.ends == "empty hand" and self.players > 2:
            raise InputError("a game that ends at an empty hand is for two players")
        if self.stop_tricks is not None and self.stop_tricks < 1:
            raise InputError(
                f"a game cannot stop after {self.stop_tricks} tricks; choose 1 or more"
            )

    @property
    def standard_play(self) -> bool:
        """Whether only the deck may differ from the standard rules: what every kernel plays."""
        return replace(self, deck=STANDARD_DECK) == STANDARD

    @property
    def differences(self) -> dict[str, Any]:
        """The rules of dealing and play that are not the standard ones, by name."""
        names = [field.name for field in fields(self) if field.name != "deck"]
        return {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value
            for name in names
            if getattr(self, name) != getattr(STANDARD, name)
        }

    def hands(self, cards: bytes) -> tuple[bytes, ...]:
        """Deal shuffled cards: one hand for each player, top card first."""
        if self.dealing == "alternate":
            hands = [cards[player :: self.players] for player in range(self.players)]
        else:
            size, more = divmod(len(cards), self.players)
            cuts = [player * size + min(player, more) for player in range(self.players + 1)]
            hands = [cards[start:stop] for start, stop in pairwise(cuts)]
        return tuple(hand[::-1] if self.top == "last" else hand for hand in hands)

    def deal(self, seed: int) -> tuple[bytes, ...]:
        """Return the hands of a seed; a `Deal` if two play."""
        hands = self.hands(shuffle_deck(seed, self.deck))
        return Deal(*hands) if self.players == 2 else hands


STANDARD = Rules()
"""Two players, the standard deck, no house rule."""

RULE_SETS: Mapping[str, Rules] = {
    "standard": STANDARD,
    "camicia": Rules(deck=CAMICIA),
    "half-deck": Rules(deck=HALF),
    "second-leads": Rules(leader=1),
    "dealt-in-halves": Rules(dealing="blocks"),
    "last-dealt-on-top": Rules(top="last"),
    "reversed-pile": Rules(pile="reversed"),
    "payer-leads": Rules(next_leader="payer"),
    "ends-at-empty-hand": Rules(ends="empty hand"),
    "harmless-ace": Rules(penalties=(0, 1, 2, 3, 0)),
    "house-stop": Rules(stop_tricks=3000, stop_on_repeat=True),
    "three-players": Rules(players=3),
    "four-players": Rules(players=4),
}
"""The rule sets that have a name."""


def rules_of(spec: str | Mapping[str, Any] | Rules) -> Rules:
    """Return the rule set a user names or describes.

    Parameters
    ----------
    spec
        A name in `RULE_SETS`, or attributes of `Rules` with their values; the attribute
        ``base`` names the rule set whose values the others keep (``standard`` by default).

    Raises
    ------
    InputError
        For an unknown name or attribute, or a value that does not fit.
    """
    if isinstance(spec, Rules):
        return spec
    if isinstance(spec, str):
        if spec not in RULE_SETS:
            raise InputError(f"there is no rule set {spec!r}; choose one of {', '.join(RULE_SETS)}")
        return RULE_SETS[spec]
    if not isinstance(spec, Mapping):
        raise InputError(
            f"the rules {spec!r} are not understood; give a name (one of {', '.join(RULE_SETS)}) "
            "or the rules in which they differ from one"
        )
    values = dict(spec)
    base = rules_of(values.pop("base", "standard"))
    known = [field.name for field in fields(Rules)]
    for name in values:
        if name not in known:
            raise InputError(f"there is no rule {name!r}; known are base, {', '.join(known)}")
    if "deck" in values:
        values["deck"] = Deck.parse(values["deck"])
    return replace(base, **values)
