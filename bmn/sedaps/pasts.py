"""Searches from published states back to fair deals: the scan of past 10, and the histories."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bmn import store
from bmn.sedaps import rule, tables
from bmn.sedaps.backward import CAP, NO_CAP, closure, histories, search_back
from bmn.sedaps.deals import deal_seed
from bmn.sedaps.facts import DATA, Fact, fact, presents, statement, turn_85
from bmn.sedaps.fates import advance, fate
from bmn.sedaps.reference import Search
from bmn.sedaps.reference import search_back as slow_search_back
from bmn.sedaps.rule import State

TURNS = 100
"""Turns of the scan."""

LOWER_TURN = 12
"""Turn of the formula in the second count of the histories; the first uses 16."""


PAST_10_TURNS = (24, 27, 30, 33)
"""Turns at which fair deals lead to past 10 of the turn-85 state."""

ENDED_SEED = 5
"""The seed of the game whose end is searched from."""


class ScanRow(NamedTuple):
    """The search from past 10 of the turn-85 state at one turn.

    Attributes
    ----------
    elapsed_turn
        Turns since the deal.
    states_expanded, lowest_turn, reaches_deal, capped
        As published; the lowest turn is -1 where no state has the right shape.
    deals
        Deals met before the search gave up.
    """

    elapsed_turn: int
    states_expanded: int
    lowest_turn: int
    reaches_deal: bool
    capped: bool
    deals: int

    @classmethod
    def of(cls, turn: int, found: Search) -> ScanRow:
        """Make the row of one search."""
        lowest = -1 if found.lowest is None else found.lowest
        return cls(turn, found.expanded, lowest, found.deals > 0, found.capped, found.deals)


class HistoryRow(NamedTuple):
    """How many fair deals lead to a state through one of its pasts.

    Attributes
    ----------
    name
        The state: ``present`` or ``past10``.
    turn
        Its turn.
    branch
        The label of the past; ``all`` for the sum.
    formula_turn
        The highest turn at which the formula counts; 0 if every deal was walked to.
    deals
        Fair deals.
    searched, boundary
        States with the right shape, and those counted by the formula; 0 but for the sum.
    """

    name: str
    turn: int
    branch: str
    formula_turn: int
    deals: int
    searched: int
    boundary: int


def scan(
    search: Callable[[State, int], Search] = search_back,
) -> list[ScanRow]:
    """Search from past 10 at every turn of the scan."""
    past = rule.branches(turn_85()[1])["10"]
    return [ScanRow.of(turn, search(past, turn)) for turn in range(TURNS)]


def scan_facts(rows: list[ScanRow]) -> list[Fact]:
    """Compare the scan with the published table and with the slow search."""
    slow = scan(lambda past, turn: slow_search_back(past, turn, CAP, 0))
    published = store.read_json(DATA / "explore_table.json")["rows"]
    table = [[-1 if value is None else value for value in line] for line in published]
    same = sum(list(row[:5]) == line for row, line in zip(rows, table, strict=True))
    again = sum(list(row[:5]) == line for row, line in zip(slow, table, strict=True))

    def last(rows: list[ScanRow]) -> dict:
        row = rows[84]
        return {
            "statesExpanded": row.states_expanded,
            "lowestTurn": row.lowest_turn,
            "capped": row.capped,
        }

    start = closure(rule.branches(turn_85()[1])["10"], TURNS)[1]
    repeats = start is not None and all(
        (row.states_expanded, row.lowest_turn + 3, row.reaches_deal)
        == (later.states_expanded, later.lowest_turn, later.reaches_deal)
        for row, later in zip(rows[start:], rows[start + 3 :], strict=False)
    )
    reaching = ", ".join(str(row.elapsed_turn) for row in rows if row.reaches_deal)
    return [
        fact("explore.past10.84", last(rows), "compiled", last(slow), "search in Python"),
        statement(
            "explore.past10.table",
            same == TURNS,
            f"{same} of {TURNS} rows as published",
            "compiled",
            f"{again} of {TURNS} rows as published",
            "search in Python",
        ),
        statement(
            "text.closure",
            repeats,
            f"from turns {start}, {start + 1}, {start + 2} on; deals only at turns {reaching}"
            if repeats
            else "no period was found",
            f"searches from turns 0 to {TURNS - 1}",
        ),
        _from_an_end(),
    ]


def _from_an_end() -> Fact:
    def told(turns: int, end: rule.State, deals: int) -> dict:
        sizes = rule.sizes(end)
        return {"seed": ENDED_SEED, "endTurn": turns, "sizes": sizes, "reachesDeal": deals > 0}

    deal = deal_seed(ENDED_SEED)
    turns = fate(deal).turns
    end = advance(deal, turns)[0]
    slow_end, slow_turns = deal, 0
    while (after := rule.turn(slow_end)) is not None:
        slow_end, slow_turns = after, slow_turns + 1
    return fact(
        "explore.terminal.seed5",
        told(turns, end, search_back(end, turns).deals),
        "compiled",
        told(slow_turns, slow_end, slow_search_back(slow_end, slow_turns, CAP, 0).deals),
        "rule in Python",
    )


def count_histories() -> list[HistoryRow]:
    """Count the deals behind the six presents and past 10, each in two ways."""
    rows = []
    for turn, present in presents().items():
        for formula_turn in (16, LOWER_TURN):
            found = histories(present, turn, formula_turn)
            rows += [
                HistoryRow("present", turn, label, formula_turn, deals, 0, 0)
                for label, deals in found.branches.items()
            ]
            rows.append(
                HistoryRow(
                    "present",
                    turn,
                    "all",
                    formula_turn,
                    found.deals,
                    found.searched,
                    found.boundary,
                )
            )
    past = rule.branches(turn_85()[1])["10"]
    searches = [("past10", past, turn, "all") for turn in PAST_10_TURNS]
    searches.append(("present", rule.branches(presents()[32])["10"], 31, "10"))
    for name, state, turn, label in searches:
        for formula_turn in (16, 0):
            found = search_back(state, turn, NO_CAP, formula_turn)
            rows.append(
                HistoryRow(
                    name,
                    turn if name == "past10" else turn + 1,
                    label,
                    formula_turn,
                    found.deals,
                    found.expanded,
                    found.boundary,
                )
            )
    return rows


def history_facts(rows: list[HistoryRow]) -> list[Fact]:
    """Work out the claims on histories."""
    made = []
    for turn in presents():
        first, second = (_present(rows, turn, formula_turn) for formula_turn in (16, LOWER_TURN))
        # States searched depend on where the formula begins; the second count speaks of deals.
        second |= {name: first[name] for name in ("statesSearched", "boundaryStates")}
        made.append(
            fact(
                f"history.turn{turn}",
                first,
                "formula at turns up to 16",
                second,
                f"formula at turns up to {LOWER_TURN}",
            )
        )
    walked, counted = (
        {
            str(row.turn): row.deals
            for row in rows
            if row.name == "past10" and row.formula_turn == formula_turn
        }
        for formula_turn in (0, 16)
    )
    made.append(fact("history.past10", counted, "formula", walked, "every deal walked to"))
    one = {
        row.formula_turn: row.deals
        for row in rows
        if (row.name, row.turn, row.branch) == ("present", 32, "10") and row.searched
    }
    named = {f"past10@{turn}": deals for turn, deals in walked.items()}
    again = {f"past10@{turn}": deals for turn, deals in counted.items()}
    made.append(
        fact(
            "history.brute",
            named | {"present32/10@31": one[0]},
            "every deal walked to",
            again | {"present32/10@31": one[16]},
            "formula",
        )
    )
    made.append(
        statement(
            "theorem.histories",
            named == again and one[0] == one[16],
            f"{sum(named.values()) + one[0]} deals walked to, as many as the formula says",
            "five searches both ways",
        )
    )
    return made


def _present(rows: list[HistoryRow], turn: int, formula_turn: int) -> dict:
    chosen = [
        row
        for row in rows
        if (row.name, row.turn, row.formula_turn) == ("present", turn, formula_turn)
        and (row.branch == "all" or not row.searched)
    ]
    found = {f"b{row.branch}": row.deals for row in chosen if row.branch != "all"}
    total = next(row for row in chosen if row.branch == "all")
    return {
        "deals": total.deals,
        "statesSearched": total.searched,
        "boundaryStates": total.boundary,
    } | found


def main(scan_path: str, histories_path: str, facts_path: str) -> None:
    """Scan and count, and write both tables and the facts."""
    scanned, counted = scan(), count_histories()
    tables.write(scan_path, ScanRow, scanned)
    tables.write(histories_path, HistoryRow, counted)
    tables.write(facts_path, Fact, scan_facts(scanned) + history_facts(counted))
