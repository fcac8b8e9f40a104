"""The code of the documentation runs as it stands there."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "python.md").read_text()


def test_the_code_of_the_page_runs(monkeypatch, capsys):
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5
    # One page is one story: later code uses what earlier code made.
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


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
