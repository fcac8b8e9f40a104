"""The notebook runs from top to bottom and shows what it says."""

import json
import pathlib

import make
import nbclient
import nbformat
import pytest

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "vetting.ipynb"


@pytest.fixture(scope="module")
def cells():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = str(NOTEBOOK.parent)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}}).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    return json.dumps([dict(output) for output in cell.outputs])


def test_the_notebook_is_the_one_that_its_cells_make():
    assert json.loads(NOTEBOOK.read_text()) == make.notebook()


def test_blocked_results_say_why(cells):
    assert "blocked" in shown(cells[2])
    assert "x.com" in shown(cells[1])


def test_the_report_is_shown_in_a_frame(cells):
    data = [output["data"] for output in cells[3].outputs if "data" in output]
    assert any('<iframe sandbox=\\"\\"' in json.dumps(one) for one in data)


def test_the_citation_that_does_not_hold_is_found(cells):
    assert "unsupported" in shown(cells[5]) or "partly" in shown(cells[5])


def test_credibility_is_plotted(cells):
    assert any("image/png" in output.get("data", {}) for output in cells[6].outputs)
