"""LangChain: a retriever that vets what another one finds, and research as a tool.

    from probity.integrations.langchain import VettedRetriever, research_tool

    retriever = VettedRetriever(retriever=store.as_retriever(), vetting=Vetting(cutoff=3))
    agent = create_react_agent(model, tools=[research_tool(library="docs/")])
"""

from __future__ import annotations

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import ConfigDict, Field

import probity

from .vetting import Verdict, Vetting, address, title

__all__ = ["VettedRetriever", "Vetting", "research_tool", "score_tool"]


class VettedRetriever(BaseRetriever):
    """Gives what another retriever finds, without what the score blocks and the gate drops.

    Every document carries the verdict in its metadata. With ``Vetting(drop=False)`` nothing is taken out.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    retriever: BaseRetriever
    vetting: Vetting = Field(default_factory=Vetting)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        found = self.retriever.invoke(query, config={"callbacks": run_manager.get_child()})
        judged = [(document, self._judge(query, document)) for document in found]
        return [
            _marked(document, verdict)
            for document, verdict in judged
            if verdict.kept or not self.vetting.drop
        ]

    def _judge(self, query: str, document: Document) -> Verdict:
        about = document.metadata
        return self.vetting.judge(query, document.page_content, address(about), title(about))


def _marked(document: Document, verdict: Verdict) -> Document:
    return document.model_copy(update={"metadata": document.metadata | verdict.metadata()})


def research_tool(name: str = "research", **options: Any) -> BaseTool:
    """Research as a tool: a question in, a checked report as Markdown out.

    ``options`` are those of :func:`probity.research`: where to look, who judges, what may be spent. The
    agent chooses the question and nothing else.
    """

    def research(question: str) -> str:
        return probity.research(question, **options).markdown

    async def research_async(question: str) -> str:
        return (await probity.research_async(question, **options)).markdown

    return StructuredTool.from_function(
        func=research,
        coroutine=research_async,
        name=name,
        description=(
            "Researches a question in vetted sources and returns a report in which every cited sentence "
            "was checked, or says that the sources do not suffice. Ask one complete question."
        ),
    )


def score_tool(name: str = "score_source", scorer: probity.Scorer | None = None) -> BaseTool:
    """The score of an address as a tool: whether it may be fetched, and why."""

    def score(url: str, question: str, title: str = "", snippet: str = "") -> dict[str, Any]:
        score = scorer.score if scorer else probity.score
        try:
            return score(url, question, title, snippet).to_dict()
        except probity.UsageError as error:
            return {"error": str(error)}

    return StructuredTool.from_function(
        func=score,
        name=name,
        description=(
            "Says how credible a page is before it is read: a score from 0 to 1, whether it is blocked, "
            "and why. Give the address, the question, and title and snippet as the search gave them."
        ),
    )
