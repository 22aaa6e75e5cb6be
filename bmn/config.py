"""The configuration of a workflow run: validated once, then plain values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from bmn.cards import Deck
from bmn.chunks import SEEDS, Search
from bmn.errors import InputError
from bmn.rules import rules_of
from bmn.tree import Tree

MAX_CHUNKS = 1_000_000
"""The most chunks of a decomposition: more jobs than any scheduler can hold."""


@dataclass(frozen=True)
class Config:
    """A valid configuration.

    Attributes
    ----------
    name
        What the run is called in its summary.
    search
        The seeds and how they are played.
    chunk_sizes
        Seeds a chunk in each decomposition; the first one gives the results.
    longest
        How many of the longest deals are kept and replayed.
    cost_deals
        Deals the slow implementation plays for the comparison of speeds.
    threads
        Threads that play one chunk.
    deals_per_second
        Deals one core plays in a second, for the time asked of a cluster.
    budget
        Tricks after which a capped deal is left undecided.
    census_chunk
        Deals a chunk of a census.
    atlas_cards, atlas_kind, atlas_deals
        The atlas counts every deck of at most so many cards, so many of each penalty card, and
        so many deals.
    atlas_parts
        The atlas is made in so many jobs.
    climb_chains, climb_deals
        Climbs from the longest deal, and how many deals each examines.
    method_restarts, method_deals
        How often each method is run for comparison, and how many deals it examines.
    long_keys, long_deals, long_threshold
        Two-sided searches: how many, the deals of each, and how long one must be to be followed.
    trunk_seeds
        Shuffled decks in which states of trunks are looked for, to measure these.
    cycle_lag, cycle_trials, cycle_near
        How far pieces are searched for exhaustively, and how many random changes of pieces and
        of cycles are tried.
    cycle_full_lag, cycle_full_trials, cycle_full_near
        The same for the full catalogue.
    decks_lag, decks_trials
        The same for each of the other decks that are looked at.
    """

    name: str
    search: Search
    chunk_sizes: tuple[int, ...]
    longest: int
    cost_deals: int
    threads: int
    deals_per_second: int
    budget: int
    census_chunk: int
    atlas_cards: int
    atlas_kind: int
    atlas_deals: int
    atlas_parts: int
    climb_chains: int
    climb_deals: int
    method_restarts: int
    method_deals: int
    long_keys: int
    long_deals: int
    long_threshold: int
    trunk_seeds: int
    cycle_lag: int
    cycle_trials: int
    cycle_near: int
    cycle_full_lag: int
    cycle_full_trials: int
    cycle_full_near: int
    decks_lag: int
    decks_trials: int

    @property
    def trees(self) -> dict[int, Tree]:
        """The chunks of each decomposition, by chunk size."""
        return {size: Tree(self.search, size) for size in self.chunk_sizes}

    @property
    def identity(self) -> dict[str, Any]:
        """What decides every result: runs with the same identity have the same results."""
        return self.search.about | {"longest": self.longest}


def load(values: Mapping[str, Any], schema: Mapping[str, Any]) -> Config:
    """Validate a configuration against its schema.

    Parameters
    ----------
    values
        The configuration as read from YAML and the command line; for a key that is missing the
        schema may have a default.
    schema
        The JSON schema, ``config/schema.yaml``.

    Raises
    ------
    InputError
        For an unknown or misspelt key, a value of the wrong type or out of range, seeds that do
        not fit in 64 bits, or a chunk size that does not divide them.
    """
    import jsonschema

    values = {key: _numbers(value) for key, value in values.items()}
    known = schema["properties"]
    for key in values:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
            raise InputError(f"the configuration has an unknown key {key!r}; {hint}")
    values = {key: about["default"] for key, about in known.items() if "default" in about} | values
    validator = _validator(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(values))
    if error is not None:
        where = ".".join(str(part) for part in error.absolute_path)
        about = known.get(where.split(".")[0], {}).get("description", "see config/schema.yaml")
        place = f"of {where!r} " if where else ""
        raise InputError(f"the configuration {place}is wrong: {error.message} ({about})")
    for key, value in values.items():
        if isinstance(value, int) and value >= SEEDS:
            raise InputError(
                f"the configuration of {key!r} is wrong: {value} does not fit in 64 bits "
                f"({known[key]['description']})"
            )
    rules = rules_of(values["rules"])
    deck = Deck.parse(values["deck"]) if "deck" in values else rules.deck
    config = Config(
        search=Search(values["first_seed"], values["seeds"], values["cap"], deck, rules),
        chunk_sizes=tuple(values["chunk_sizes"]),
        **{
            field.name: values[field.name]
            for field in fields(Config)
            if field.name not in ("search", "chunk_sizes")
        },
    )
    for size in config.chunk_sizes:
        if config.search.seeds // size > MAX_CHUNKS:
            raise InputError(
                f"chunks of {size} seeds would be {config.search.seeds // size}; choose "
                f"chunk_sizes that make at most {MAX_CHUNKS}"
            )
    config.search.check_divides(*config.chunk_sizes)
    return config


def _numbers(value: Any, depth: int = 0) -> Any:
    """Turn the digits that Snakemake leaves inside values on its command line into numbers."""
    if isinstance(value, list) and depth < 2:
        return [_numbers(v, depth + 1) for v in value]
    if isinstance(value, dict) and depth < 2:
        return {key: _numbers(v, depth + 1) for key, v in value.items()}
    digits = depth and isinstance(value, str) and re.fullmatch("-?[0-9]{1,30}", value)
    return int(value) if digits else value


def _validator(schema: Mapping[str, Any]) -> Any:
    """Return a validator for which 1.0 and true are no whole numbers: they would change bytes."""
    import jsonschema

    base = jsonschema.Draft202012Validator
    types = base.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return jsonschema.validators.extend(base, type_checker=types)(schema)
