"""The pictures: drawn from the tables, the same bytes every time, and no red run has any."""

import re

import pytest
from helpers import make_red

from bmn import lengths as lt
from bmn.report.palette import COLOURS, painted
from bmn.report.pictures import pictures
from bmn.report.run import Run
from bmn.report.vega import save


@pytest.fixture(scope="module")
def run(results):
    return Run.read(results)


def test_every_picture_is_drawn_twice_alike(run, tmp_path):
    drawn = pictures(run)
    assert {picture.name for picture in drawn} >= {
        "lengths_log2",
        "lengths",
        "survival",
        "jointly",
        "best_so_far",
        "record_hands",
    }
    for picture in drawn:
        for turn in ("one", "two"):
            save(picture, tmp_path / f"{turn}.svg", tmp_path / f"{turn}.png")
        svg = (tmp_path / "one.svg").read_bytes()
        assert svg == (tmp_path / "two.svg").read_bytes()
        assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
        assert picture.title.encode() in svg
        assert b"NaN" not in svg and b"@" not in svg


def test_the_files_are_those_of_the_workflow(run, results, tmp_path):
    for picture in pictures(run):
        save(picture, tmp_path / "a.svg", tmp_path / "a.png")
        for kind in ("svg", "png"):
            file = results / f"figures/{picture.name}.{kind}"
            assert file.read_bytes() == (tmp_path / f"a.{kind}").read_bytes()


def test_the_bars_hold_every_deal(run):
    bars = next(p for p in pictures(run) if p.name == "lengths_log2")
    assert sum(bar["deals"] for bar in bars.spec["data"]["values"]) == 4096
    for bar in bars.spec["data"]["values"]:
        tricks = run.lengths["tricks"]
        inside = (tricks >= bar["from"]) & (tricks < 2 * bar["from"])
        assert bar["deals"] == run.lengths["deals"][inside].sum()


def test_the_survival_curve_ends_at_the_record(run):
    curve = next(p for p in pictures(run) if p.name == "survival").spec["data"]["values"]
    assert curve[0] == {"tricks": 0, "longer": 4096, "share": 1.0}
    assert curve[-1]["tricks"] == run.record[0]["tricks"] - 1


def test_the_means_are_the_sums_over_the_deals(run):
    means = next(p for p in pictures(run) if p.name == "jointly").spec["data"]["values"]
    plays = sum(mean["mean"] * mean["deals"] for mean in means)
    assert round(plays) == lt.total(run.lengths, "card_plays")


def test_the_record_game_keeps_its_cards(run):
    hands = next(p for p in pictures(run) if p.name == "record_hands").spec["data"]["values"]
    assert all(moment["one"] + moment["two"] == 52 for moment in hands)
    assert hands[-1]["play"] == run.record[0]["card_plays"]
    assert len(hands) == run.record[0]["tricks"] + 1


def test_a_red_run_has_no_pictures(project):
    make_red(project.results, "plants")
    assert pictures(Run.read(project.results)) == []


def test_every_colour_is_known(run):
    for picture in pictures(run):
        for theme in (0, 1):
            assert "@" not in str(painted(picture.spec, theme))


def luminance(colour):
    channels = [int(part, 16) / 255 for part in re.findall("..", colour[1:])]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(share * c for share, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("text", ["ink", "muted", "link", "seat1", "seat2", "good", "bad"])
@pytest.mark.parametrize("behind", ["paper", "surface", "sunken"])
def test_text_can_be_read(text, behind, theme):
    light, dark = sorted(luminance(COLOURS[name][theme]) for name in (text, behind))[::-1]
    assert (light + 0.05) / (dark + 0.05) >= 4.5
