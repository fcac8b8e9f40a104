"""What every integration does with a document: score its address, judge its text, keep it or not.

The score decides as it does at discovery in a run; the relevance judges the text as the gate does. A
document without a web address is the user's own: it is judged, but no score blocks it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import probity

__all__ = ["Verdict", "Vetting"]

# How much of a document's text stands for the snippet that a search would have given, in characters.
_SNIPPET_CHARS = 500


@dataclass(frozen=True)
class Verdict:
    """What became of a document, and why."""

    kept: bool
    why: str
    score: float | None = None
    relevance: int | None = None
    outlet: str | None = None

    def metadata(self) -> dict[str, Any]:
        """The verdict as plain metadata of a document."""
        return {
            "probity_kept": self.kept,
            "probity_why": self.why,
            "probity_score": self.score,
            "probity_relevance": self.relevance,
            "probity_outlet": self.outlet,
        }


@dataclass(frozen=True)
class Vetting:
    """How documents are vetted.

    ``cutoff`` is the least relevance from 1 to 5 that is kept, None to leave texts unread. ``drop`` takes
    out what fails; without it everything stays and is marked.
    """

    scorer: probity.Scorer | None = None
    reader: probity.Reader | None = None
    cutoff: int | None = 3
    drop: bool = True

    def judge(self, question: str, text: str, url: str | None = None, title: str = "") -> Verdict:
        """Judges one document."""
        scored = self.score(question, url, title, text) if url else None
        if scored is not None and scored.blocked:
            return Verdict(False, scored.explanation, scored.score, None, scored.outlet)
        score, outlet = (scored.score, scored.outlet) if scored else (None, None)
        if self.cutoff is None or not text.strip():
            why = scored.explanation if scored else "not judged"
            return Verdict(True, why, score, None, outlet)
        judged = probity.relevance(question, text, title, reader=self.reader)
        kept = judged.score >= self.cutoff
        return Verdict(kept, judged.why, score, judged.score, outlet)

    def score(self, question: str, url: str, title: str, text: str) -> probity.Score | None:
        """The score of an address; None where it is none that could be fetched."""
        score = self.scorer.score if self.scorer else probity.score
        try:
            return score(url, question, title, text[:_SNIPPET_CHARS])
        except probity.UsageError:
            # A name of a file, say; but what is wrong with the question is the caller's to know.
            probity.score("https://example.org/", question)
            return None


def address(metadata: dict[str, Any]) -> str | None:
    """The address in a document's metadata, whatever it is called."""
    for name in ("url", "source", "href", "link", "source_url"):
        value = metadata.get(name)
        if isinstance(value, str) and value.startswith(("http://", "https://")):
            return value
    return None


def title(metadata: dict[str, Any]) -> str:
    """The title in a document's metadata."""
    value = metadata.get("title") or metadata.get("name") or ""
    return value if isinstance(value, str) else ""
