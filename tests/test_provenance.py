from bmn import provenance


def test_the_digest_follows_imports_and_nothing_else(tmp_path, monkeypatch):
    package = tmp_path / "bmn"
    package.mkdir()
    for name, text in {
        "top": "from bmn import middle\n",
        "middle": "def f():\n    from bmn.bottom import x\n",
        "bottom": "x = 1\n",
        "other": "y = 2\n",
    }.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(provenance, "ROOT", tmp_path)

    def digest():
        provenance._imports.cache_clear()
        return provenance.code_digest("bmn.top")

    before = digest()
    (package / "other.py").write_text("y = 3\n")
    assert digest() == before
    (package / "bottom.py").write_text("x = 2\n")
    assert digest() != before
    before = digest()
    (package / "middle.py").write_text("from bmn.package import inside\n")
    (package / "package").mkdir()
    (package / "package/__init__.py").write_text("")
    (package / "package/inside.py").write_text("")
    with_package = digest()
    (package / "package/__init__.py").write_text("z = 1\n")
    assert len({before, with_package, digest()}) == 3
    provenance._imports.cache_clear()
