"""The code of the documentation runs as it stands there."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "python.md").read_text()


def run(page):
    """Runs the code of a page as one story: later code uses what earlier code made."""
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, f"docs/{page}", "exec"), names)
    return names


def test_the_code_of_the_page_runs(monkeypatch, capsys):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(ROOT)
    assert run("python.md")["report"].decision


def test_the_recipe_for_engines_scores_a_table():
    pa = pytest.importorskip("pyarrow")
    score_table = run("scale.md")["score_table"]
    table = pa.table({"id": [7], "url": ["https://www.reuters.com/a"]})
    scored = score_table(table, "How did oil prices move?", "2026-03-01T00:00:00Z")
    assert scored.column("id").to_pylist() == [7]
    assert scored.column("outlet").to_pylist() == ["reuters.com"]


def test_everything_public_is_on_the_page():
    import probity

    results = {"Answer", "Citation", "Entailment", "Extracted", "Heading", "Outlet", "Relevance"}
    for name in set(probity.__all__) - results:
        assert name in PAGE, f"docs/python.md does not mention {name}"


def test_the_stub_names_everything_that_is_compiled():
    from probity import _native

    stub = (ROOT / "bindings" / "python" / "probity" / "_native.pyi").read_text()
    for name in dir(_native):
        if name.startswith("__"):
            continue
        assert re.search(rf"^(class|def) {name}\b", stub, re.MULTILINE), name
        value = getattr(_native, name)
        if isinstance(value, type):
            body = stub.split(f"class {name}:", 1)[1].split("\n@final", 1)[0].split("\ndef ", 1)[0]
            for field in vars(value):
                if not field.startswith("__"):
                    assert re.search(rf"\b{field}\b", body), f"{name}.{field}"
