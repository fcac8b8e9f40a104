"""Writes examples/vetting.ipynb from the cells below, so that a change can be read as text."""

from __future__ import annotations

import json
import pathlib

CELLS = [
    """# Vetting sources with Probity

Which results of a search may be used, and why; what a folder says about a question; whether a draft's
citations hold; how an outlet's credibility changed. Nothing here needs a network or a key.""",
    """import pathlib
import tempfile

import pandas as pd
import probity
import pyarrow as pa

repository = next(
    folder for folder in [pathlib.Path.cwd(), *pathlib.Path.cwd().parents] if (folder / "examples" / "library").is_dir()
)""",
    """## A list of results: what is blocked, and why

A page is scored before it is fetched, from its address, title and snippet alone.""",
    """question = "How loud may amplified music be outdoors at night?"
results = pd.DataFrame(
    [
        ("https://www.gov.uk/noise-pollution", "Noise nuisances: how councils deal with loud music at night", "Amplified music outdoors, 2026 rules"),
        ("https://www.reuters.com/world/uk/festival-noise", "City limits amplified music at night", "How loud outdoor concerts may be"),
        ("https://x.com/partyhost/status/1", "best party ever", "so loud!!!"),
        ("https://loud-speakers-deals.shop/buy", "Buy speakers", "The best price for your garden"),
        ("https://en.wikipedia.org/wiki/Noise_regulation", "Noise regulation", "Rules on loud music, outdoors and at night"),
    ],
    columns=["url", "title", "snippet"],
)
scored = pa.table(probity.score_batch(results, question, keep=["title"])).to_pandas()
scored[["title", "outlet", "authority", "relevance", "recency", "score", "blocked"]]""",
    """for line in scored[scored.blocked].explanation:
    print("-", line)""",
    """## A question over a folder

The report shows its evidence: every cited sentence was checked against the source that it cites.""",
    """report = probity.research(
    "What are the most popular first dance songs at Port Ellery weddings?",
    library=repository / "examples" / "library",
)
print(report.decision, "-", report.rationale)
report""",
    """pd.DataFrame(
    [(one["title"], one["verdict"], one["credibility"]["score"], one["reason"]) for one in report.candidates],
    columns=["title", "verdict", "credibility", "reason"],
)""",
    """## A draft whose citations have to hold

The second sentence says what its source does not.""",
    """source = (
    "The council of Port Ellery voted on Monday. Amplified music outdoors has to end at ten in the evening on "
    "weekdays and at eleven on Saturdays. Whoever is louder pays 200 crowns."
)
draft = pd.DataFrame(
    {
        "claim": [
            "Amplified music outdoors has to end at ten in the evening on weekdays.",
            "Whoever is louder pays 900 crowns.",
        ],
        "source": [source, source],
    }
)
checked = pa.table(probity.check_batch(draft, keep=["claim"])).to_pandas()
checked[["claim", "support", "value", "passage", "reasons"]]""",
    """## Credibility over time

Editors' codings move an outlet's score, and every move is an event in a log that only grows.""",
    """ledger = probity.Ledger(pathlib.Path(tempfile.mkdtemp()) / "ledger.db", create=True)
for code in ["high-quality-source"] * 4 + ["source-unreliable"] * 2 + ["high-quality-source"]:
    ledger.code("wired.com", [code], by="Ada")
history = pd.DataFrame(ledger.history("wired.com"))
scores = pd.Series([history.before.iloc[0], *history.after], name="wired.com")
axes = scores.plot(drawstyle="steps-post", marker="o", ylim=(0, 1), xlabel="event", ylabel="credibility", legend=True)
print(ledger.verify())""",
]


def notebook() -> dict[str, object]:
    cells = []
    for number, text in enumerate(CELLS):
        is_text = text.lstrip().startswith("#")
        cell: dict[str, object] = {
            "cell_type": "markdown" if is_text else "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": text.splitlines(keepends=True),
        }
        if not is_text:
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


if __name__ == "__main__":
    target = pathlib.Path(__file__).parents[2] / "examples" / "vetting.ipynb"
    target.write_text(json.dumps(notebook(), indent=1, ensure_ascii=False) + "\n")
