"""The ledger: what we compute against what is published, and that a difference shows."""

import json
import re

import pytest

from bmn import store
from bmn.errors import InputError
from bmn.provenance import ROOT
from bmn.sedaps import (
    census,
    census_facts,
    ledger,
    loops,
    page,
    pasts,
    period_facts,
    plan,
    replays,
    rigid,
    runs,
    small,
    tables,
)
from bmn.sedaps.facts import Fact, canonical, fact, statement

CLAIMS = store.read_json(ledger.CLAIMS)
PUBLISHED = {claim["id"]: claim for claim in CLAIMS["claims"]}
STATEMENTS = {one["id"]: one for one in CLAIMS["statements"]}
SHARED = json.loads((ROOT / "tests/data/sedaps/claims.json").read_text())


def agrees(found):
    """Return whether a fact is what its claim says, by both implementations."""
    if found.holds:
        return found.holds == "yes" and found.agrees_again
    return found.computed == canonical(PUBLISHED[found.claim]["published"]) and found.agrees_again


def by_tree(kind, decks):
    return [row for cards in decks for row in census.count(kind, cards, "tree")[0]]


@pytest.fixture(scope="module")
def rows():
    """The rows of every census of the claims that takes no more than a second or two."""
    return (
        by_tree("three", range(3, 12))
        + by_tree("two", range(2, 12))
        + by_tree("raw", range(3, 13))
        + by_tree("packet", range(3, 14))
        + by_tree("synchronised", (9, 12, 15))
        + by_tree("alternate", range(2, 13))
    )


@pytest.fixture(scope="module")
def trees(rows):
    return census_facts.Censuses(rows)


def test_the_claims_are_the_published_ones():
    """The ledger's file adds words to the published values, and changes none."""
    assert len(SHARED) == len(PUBLISHED) == 104
    for claim in SHARED:
        ours = PUBLISHED[claim["id"]]
        assert {name: ours[name] for name in claim} == claim
    assert sum(claim["reproducible"] for claim in SHARED) == 100
    assert {claim["status"] for claim in PUBLISHED.values()} < set(ledger.STATUSES)
    assert {claim["kind"] for claim in STATEMENTS.values()} == {
        "theorem", "false", "loose", "ours", "open",
    }  # fmt: skip


def test_certificates():
    found = replays.facts()
    assert len(found) == 19 and all(map(agrees, found))


@pytest.mark.slow
def test_histories():
    found = pasts.history_facts(pasts.count_histories())
    assert len(found) == 9 and all(map(agrees, found))


@pytest.mark.slow
def test_scan_by_both_implementations():
    found = pasts.scan_facts(pasts.scan())
    assert len(found) == 4 and all(map(agrees, found))


@pytest.mark.slow
def test_seeded_games():
    found = runs.facts(runs.remnant(), runs.sweep())
    claims = [one for one in found if not one.claim.startswith("open.")]
    assert len(claims) == 8 and all(map(agrees, claims))


def test_a_seeded_game_row_by_row():
    assert runs.run(51, 5) == runs.Run(51, 5, 83, 117, 0, 1, False, 0, 0)
    assert runs.run(51, 1) == runs.Run(51, 1, 128, 935, 4004, 2, True, 22, 4004)


@pytest.mark.slow
def test_six_cards():
    found = small.facts()
    assert len(found) == 5 and all(agrees(one) for one in found if one.claim in PUBLISHED)
    assert all(one.holds == "yes" for one in found if one.claim not in PUBLISHED)


def test_census_claims(trees):
    found = census_facts.published_facts(trees)
    left = {"census2.n12"}
    wrong = [one.claim for one in found if not agrees(one)]
    assert set(wrong) == left and len(found) == 41


@pytest.mark.slow
def test_two_queues_of_twelve_cards():
    rows = census_facts.Censuses(by_tree("two", [12]))
    assert agrees(rows.facts_of_one("census2.n12", "two", 12, census_facts._full))


def test_the_sentence_on_two_queues_is_false_at_ten(trees):
    false, theorem = census_facts.two_queue_facts(trees)
    assert false.holds == "no" and theorem.holds == "yes"
    assert json.loads(false.computed) == {
        "false at 10 cards": "of 96 loops (288 in the census of three queues), of length 60, 0 do",
        "true at": "5, 7, 9, 11 cards",
    }


@pytest.mark.slow
def test_past_the_tables(rows):
    trees = census_facts.Censuses(
        rows + by_tree("packet", range(14, 18)) + by_tree("alternate", [13])
    )
    searched = [
        row
        for cards in range(3, 18)
        for row in loops.search(cards, loops.patterns(cards, False))[0]
    ]
    shapes = [row for cards in (12, 15) for row in rigid.shape_rows(cards)]
    decks = {"all": list(range(3, 18)), "synchronised": [9, 12, 15]}
    found = {one.claim: one for one in census_facts.our_facts(trees, searched, decks, shapes)}
    assert found["ours.allRigid"].holds == "yes"
    assert found["ours.threeLiveLoops"].agrees_again
    assert json.loads(found["text.untestedSizes"].computed) == "no loops"
    assert json.loads(found["ours.A400411"].computed) == {"12": 0, "13": 4880546113}
    assert json.loads(found["ours.packet"].computed)["16"]["loops"] == {}
    # A loop that is not rigid would show.
    other = [row._replace(rigid=False) if row.cards == 15 else row for row in searched]
    changed = {one.claim: one for one in census_facts.our_facts(trees, other, decks, shapes)}
    assert changed["ours.allRigid"].holds == "no"
    assert "not rigid 15" in changed["open.threeLive"].computed
    assert "not rigid none" in found["open.threeLive"].computed


def test_periods():
    found = period_facts.two_queue_facts()
    assert len(found) == 2 and all(map(agrees, found))


@pytest.mark.slow
def test_rigid_shapes():
    rows = [row for cards in plan.RIGID_DECKS for row in rigid.shape_rows(cards)]
    found = period_facts.rigid_facts(rows, *rigid.heads_of_twelve())
    assert all(agrees(one) for one in found if one.claim in PUBLISHED)
    assert all(one.holds == "yes" for one in found if one.claim not in PUBLISHED)
    assert {one.claim for one in found} >= {f"rigid.periods.n{n}" for n in plan.RIGID_DECKS}


@pytest.mark.parametrize("cards", [12, 15, 18, 21])
def test_rigid_states_two_ways(cards):
    from bmn.sedaps.periods import rigid_shapes

    for shape in rigid_shapes(cards):
        assert rigid.count_states(shape) == rigid.count_extensions(shape)


def test_rigid_loops_are_all_loops(trees):
    assert rigid.count_loops(rigid.shape_rows(12)) == census.loops(trees.rows("packet", 12))


# ---------------------------------------------------------------- verdicts


def made_up():
    """A fact for every claim, each as published."""
    facts = [
        fact(name, claim["published"], "made up")
        for name, claim in PUBLISHED.items()
        if claim["reproducible"]
    ]
    holds = {"false": False}
    return facts + [
        statement(name, holds.get(one["kind"], True), "found", "made up")
        for name, one in STATEMENTS.items()
    ]


def changed(name, **values):
    return [one._replace(**values) if one.claim == name else one for one in made_up()]


def verdict(facts, name):
    return {row.claim: row.verdict for row in ledger.ledger(facts)}[name]


def test_a_ledger_as_published():
    rows = ledger.ledger(made_up())
    told = ledger.summary(rows, [])
    assert told["good"] and told["verdicts"] == {"agree": 100, "not reproducible": 4}
    assert len(rows) == 104 + len(STATEMENTS)
    assert {row.verdict for row in rows} == set(ledger.VERDICTS)
    assert not any(row.ours for row in rows if row.kind in ("published", "theorem", "false"))
    assert all(row.ours == (row.kind in ("ours", "open")) for row in rows)


@pytest.mark.parametrize("name", ["census3.n9", "turn85.sha256", "history.turn41", "sync"])
def test_another_value_differs(name):
    facts = changed(name, computed='{"something":"else"}')
    assert verdict(facts, name) == "differs"
    told = ledger.summary(ledger.ledger(facts), [])
    assert not told["good"] and told["unexpected"] == [name]


def test_one_number_inside_a_value_differs():
    value = dict(PUBLISHED["census3.n11"]["published"], loops=333553)
    assert verdict(changed("census3.n11", computed=canonical(value)), "census3.n11") == "differs"


def test_two_implementations_that_disagree_differ():
    facts = changed("rigid51", by_again="another", again='"something else"')
    rows = {row.claim: row for row in ledger.ledger(facts)}
    assert rows["rigid51"].verdict == "differs" and "disagree" in rows["rigid51"].why
    facts = changed("ours.packet", by_again="another", again='"something else"')
    assert verdict(facts, "ours.packet") == "differs"


def test_a_false_sentence_that_turns_out_true_is_unexpected():
    told = ledger.summary(ledger.ledger(changed("text.twoQueueLoops", holds="yes")), [])
    assert told["unexpected"] == ["text.twoQueueLoops"]


def test_an_incomplete_census_is_not_good():
    line = census.Completeness("packet", "tree", 9, 1, 1, 1, 5, 6, False)
    told = ledger.summary(ledger.ledger(made_up()), [line])
    assert not told["good"] and told["incomplete"] == ["packet 9 by tree"]


def test_facts_must_fit_the_claims():
    with pytest.raises(InputError, match="nothing was computed for the claim sync"):
        ledger.ledger([one for one in made_up() if one.claim != "sync"])
    with pytest.raises(InputError, match="computed twice"):
        ledger.ledger([*made_up(), fact("sync", 1, "again")])
    with pytest.raises(InputError, match="computed for nonsense"):
        ledger.ledger([*made_up(), fact("nonsense", 1, "made up")])


def test_what_only_the_full_run_finds_may_be_missing():
    rows = ledger.ledger([one for one in made_up() if one.claim != "ours.threeQueues"])
    assert "ours.threeQueues" not in {row.claim for row in rows}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1234567, "1,234,567"),
        ("17244057600", "17,244,057,600"),
        ("4872841e", "4872841e"),
        ({"9": 1, "10": [1, 2]}, "9: 1; 10: 1, 2"),
        ({}, "none"),
        ([[1, 2], [3]], "(1, 2, 3)"),
        (True, "yes"),
    ],
)
def test_values_for_readers(value, text):
    assert ledger.value_text(canonical(value)) == text


# ---------------------------------------------------------------- files


def test_rows_there_and_back(tmp_path):
    rows = ledger.ledger(made_up())
    tables.write(tmp_path / "ledger.parquet", ledger.LedgerRow, rows, {"about": 1})
    assert tables.read(tmp_path / "ledger.parquet", ledger.LedgerRow) == (rows, {"about": 1})
    shape = rigid.ShapeRow(51, 1, 2, 3, True, 4, 4, 4, tables.Exact(10**60))
    tables.write(tmp_path / "shapes.parquet", rigid.ShapeRow, [shape])
    assert tables.read(tmp_path / "shapes.parquet", rigid.ShapeRow) == ([shape], {})
    tables.write(tmp_path / "none.parquet", rigid.ShapeRow, [])
    assert tables.read(tmp_path / "none.parquet", rigid.ShapeRow) == ([], {})


def test_the_ledger_step(tmp_path):
    line = census.Completeness("packet", "tree", 9, 1, 1, 1, 6, 6, True)
    facts = made_up()
    tables.write(tmp_path / "one.parquet", Fact, facts[:50])
    tables.write(tmp_path / "two.parquet", Fact, facts[50:])
    tables.write(tmp_path / "complete.parquet", census.Completeness, [line])
    ledger.main(
        *(str(tmp_path / f"{name}.parquet") for name in ("ledger", "complete", "one", "two"))
    )
    rows, about = tables.read(tmp_path / "ledger.parquet", ledger.LedgerRow)
    assert rows == ledger.ledger(facts) and about["summary"]["good"]


def rendered(facts, complete=True):
    line = census.Completeness("packet", "tree", 9, 1, 1, 1, 6, 6 if complete else 7, complete)
    rows = ledger.ledger(
        one._replace(computed=canonical({"14": {"states": 1, "maxTurns": 2, "loops": {}}}))
        if one.claim == "ours.packet"
        else one._replace(computed=canonical({"12": {"9": 1036800}}))
        if one.claim == "ours.threeLiveLoops"
        else one
        for one in facts
    )
    template = (ROOT / "bmn/sedaps/page.html").read_text(encoding="utf-8")
    return page.page(rows, [line], rigid.shape_rows(12), template)


def test_the_page_shows_every_claim_and_needs_nothing_else():
    text = rendered(made_up())
    for name, claim in (PUBLISHED | STATEMENTS).items():
        assert f"<code>{name}</code>" in text
        assert claim["title"].replace("'", "&#39;") in text
    assert "All 100 values that the published data determine agree" in text
    assert not re.search(r'(src|href)="(https?:|//)|url\(|@import', text)
    assert text == rendered(made_up())
    assert text.count("<article") == text.count("</article>") == len(PUBLISHED | STATEMENTS)


def test_the_page_has_no_headline_when_something_differs():
    text = rendered(changed("sync", computed="1"))
    assert "Something is not as it should be" in text and "Look at: sync" in text
    assert "agree</strong>" not in text
    assert "Not complete: packet 9 by tree" in rendered(made_up(), complete=False)


def test_every_published_claim_has_a_subject():
    assert {page.group(name) for name in PUBLISHED} == {title for title, _ in page.GROUPS}


def test_the_plan_names_possible_censuses_once():
    for full in (False, True):
        censuses = plan.censuses(full)
        assert len({one[:3] for one in censuses}) == len(censuses)
        for one in censuses:
            census.check(*one[:1], one.cards, one.method)
            assert one.parts <= len(census.patterns(one.kind, one.cards))
        for one in plan.loop_searches(full):
            assert one.parts <= len(loops.patterns(one.cards, one.synchronised)) or one.parts == 1
    assert set(plan.censuses(False)) < set(plan.censuses(True))


@pytest.mark.parametrize(
    "schema",
    [
        ledger.LedgerRow,
        census.Completeness,
        census.CensusRow,
        loops.LoopRow,
        runs.Run,
        pasts.ScanRow,
        pasts.HistoryRow,
        rigid.ShapeRow,
        rigid.HeadsRow,
        Fact,
    ],
)
def test_every_column_is_documented(schema):
    text = (ROOT / "docs/sedaps.md").read_text(encoding="utf-8")
    for column in schema._fields:
        assert f"`{column}`" in text
