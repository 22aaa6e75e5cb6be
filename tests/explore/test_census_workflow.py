"""The censuses as a stage of the workflow."""

import pandas as pd
import pytest

from bmn import store
from bmn.provenance import ROOT

SMALL = ("census", "--config", "atlas_cards=8", "atlas_deals=2000", "atlas_parts=2")


@pytest.mark.workflow
def test_the_censuses_are_made_compared_and_verified(finished, tmp_path):
    project = finished.copy(tmp_path / "project")
    project.snakemake(*SMALL)
    folder = project.results / "census"
    compared, _ = store.read(folder / "compared.parquet")
    assert len(compared["ok"]) == 240 and compared["ok"].all()
    smallest = pd.read_parquet(folder / "smallest_infinite.parquet")
    assert smallest[smallest["smallest"] & (smallest["kinds"] == "J")]["n_cards"].tolist() == [6]
    assert project.pending(*SMALL) == {}

    text = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    for path in folder.rglob("*.parquet"):
        for column in pd.read_parquet(path).columns:
            assert f"`{column}`" in text, f"{path.name}: {column}"

    done = project.python("bmn", "verify")
    assert "is not part of this run" not in done.stdout

    chunk = folder / "deck=14-2-2-2-0/lengths/first=000000000000000.parquet"
    chunk.write_bytes(chunk.read_bytes()[:-50])
    done = project.python("bmn", "verify", check=False)
    assert done.returncode == 1
    assert chunk.name in done.stdout

    chunk.unlink()
    assert {"census_chunk", "census_merge"} <= set(project.pending(*SMALL))


@pytest.mark.workflow
def test_a_search_under_other_rules_and_another_deck(project):
    project.configure(rules={"base": "camicia", "pile": "reversed"}, seeds=1024, longest=2)
    pending = project.pending()
    assert pending["chunk"] == 3
    project.snakemake()
    record = pd.read_parquet(project.results / "record.parquet")
    assert record["replay_agrees"].all()
    assert record["deal"].str.len().eq(41).all()
    assert len(pd.read_parquet(project.results / "published/statistics.parquet")) == 0
