"""gpt-researcher: a retriever that scores what another one finds before anything is fetched.

    from gpt_researcher import GPTResearcher
    from gpt_researcher.retrievers import Duckduckgo
    from probity.integrations.gpt_researcher import vetted

    researcher = GPTResearcher(query=question)
    researcher.retrievers = [vetted(Duckduckgo, question)]

What is blocked is never handed on, so it is never scraped; the class keeps it in ``blocked``.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import probity
from probity._results import normalise

__all__ = ["vetted"]

# How many more results are asked for, because some will be blocked.
_MORE = 3


def vetted(
    retriever: type, question: str | None = None, scorer: probity.Scorer | None = None
) -> type:
    """A retriever class around another one.

    Results are scored against ``question`` and the query that found them; without a question, against the
    query alone. ``scorer`` is a scorer with your own settings or ledger. The class's ``blocked`` lists every
    :class:`probity.Score` that kept a page out.
    """

    class Vetted:
        """Finds pages by another retriever and hands on those that may be fetched."""

        blocked: list[probity.Score] = []

        def __init__(self, query: str, *args: Any, **options: Any) -> None:
            self.query = query
            self._retriever = retriever(query, *args, **options)

        def search(self, max_results: int = 5) -> list[dict[str, Any]]:
            """The best-scored results, at most so many."""
            found = self._retriever.search(max_results=max_results * _MORE)
            asked, queries = (question, [self.query]) if question else (self.query, None)
            score = scorer.score if scorer else probity.score
            # What cannot be asked is said at once, rather than by leaving every result out.
            score("https://example.org/", asked)
            kept: list[tuple[float, dict[str, Any]]] = []
            for result in islice(found or [], max_results * _MORE):
                for url, title, body, _ in normalise([result], 1):
                    try:
                        scored = score(url, asked, title, body, queries=queries)
                    except probity.UsageError:
                        continue
                    if scored.blocked:
                        type(self).blocked.append(scored)
                    else:
                        # Some retrievers hand whole texts on; those stay.
                        whole = dict(result) if isinstance(result, Mapping) else {}
                        kept.append((scored.score, {"title": title, "body": body} | whole | {"href": url}))
            kept.sort(key=lambda one: one[0], reverse=True)
            return [result for _, result in kept[:max_results]]

    Vetted.__name__ = f"Vetted{retriever.__name__}"
    Vetted.__qualname__ = Vetted.__name__
    return Vetted
