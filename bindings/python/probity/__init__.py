"""Vet sources before they are used.

    >>> import probity
    >>> probity.score("https://www.reuters.com/markets/", "How did oil prices move?").outlet
    'reuters.com'

Every number comes from the engine that the command line uses. Calls release the interpreter's lock
while they work and stop on Ctrl-C; what fails raises :class:`probity.ProbityError` with a code and a
hint.
"""

from __future__ import annotations

from ._native import (
    Answer,
    Citation,
    Entailment,
    Extracted,
    Heading,
    Ledger,
    Outlet,
    Reader,
    Relevance,
    Report,
    Score,
    Scorer,
    check_batch,
    check_citation,
    cluster_batch,
    extract,
    extract_batch,
    extract_pdf,
    outlet,
    relevance,
    score,
    score_batch,
    unwrap,
)
from ._research import research, research_async
from .errors import ProbityError, UsageError, WrongTypeError

__all__ = [
    "Answer",
    "Citation",
    "Entailment",
    "Extracted",
    "Heading",
    "Ledger",
    "Outlet",
    "ProbityError",
    "Reader",
    "Relevance",
    "Report",
    "Score",
    "Scorer",
    "UsageError",
    "WrongTypeError",
    "check_batch",
    "check_citation",
    "cluster_batch",
    "extract",
    "extract_batch",
    "extract_pdf",
    "outlet",
    "relevance",
    "research",
    "research_async",
    "score",
    "score_batch",
    "unwrap",
]
