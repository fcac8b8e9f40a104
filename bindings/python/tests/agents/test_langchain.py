"""LangChain, with its own classes and a scripted model."""

import asyncio

import probity
import pytest

pytest.importorskip("langchain_core")

from langchain_core.documents import Document
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.retrievers import BaseRetriever
from probity.integrations.langchain import VettedRetriever, Vetting, research_tool, score_tool

QUESTION = "How long does the Lorne ferry take in summer?"
GOOD = "The Lorne ferry takes 40 minutes in summer and an hour in winter."


class Found(BaseRetriever):
    documents: list[Document]

    def _get_relevant_documents(self, query, *, run_manager):
        return self.documents


def documents():
    return [
        Document(GOOD, metadata={"url": "https://www.lorne.gov.uk/ferry", "title": "Lorne ferry in summer"}),
        Document("So cute.", metadata={"source": "https://x.com/cats/status/1", "title": "Cats"}),
        Document(GOOD, metadata={"source": "notes/ferry.md"}),
        Document("The museum was founded by a whaler.", metadata={"source": "notes/museum.md"}),
    ]


def test_what_is_blocked_or_off_topic_is_dropped():
    vetted = VettedRetriever(retriever=Found(documents=documents()))
    kept = vetted.invoke(QUESTION)
    assert [one.metadata.get("url") or one.metadata["source"] for one in kept] == [
        "https://www.lorne.gov.uk/ferry",
        "notes/ferry.md",
    ]
    assert kept[0].metadata["probity_score"] > 0.5
    assert kept[0].metadata["probity_relevance"] >= 3
    assert kept[1].metadata["probity_score"] is None, "one's own document has no score that blocks"


def test_what_fails_may_be_marked_instead():
    vetted = VettedRetriever(retriever=Found(documents=documents()), vetting=Vetting(drop=False))
    found = asyncio.run(vetted.ainvoke(QUESTION))
    assert [one.metadata["probity_kept"] for one in found] == [True, False, True, False]
    assert all(one.metadata["probity_why"] for one in found)


def test_a_question_that_asks_nothing_is_refused():
    with pytest.raises(probity.UsageError):
        VettedRetriever(retriever=Found(documents=documents())).invoke("?")


def test_a_scripted_model_calls_the_tools(library):
    tools = {tool.name: tool for tool in (research_tool(library=library, mode="quick"), score_tool())}
    calls = [
        {"name": "score_source", "args": {"url": "https://x.com/a/status/1", "question": QUESTION}, "id": "1"},
        {
            "name": "research",
            "args": {"question": "What does Port Ellery's noise ordinance say about amplified outdoor music at night?"},
            "id": "2",
        },
    ]
    model = GenericFakeChatModel(messages=iter([AIMessage("", tool_calls=calls)]))
    answers = [tools[call["name"]].invoke(call) for call in model.invoke("go").tool_calls]
    assert '"blocked": true' in answers[0].content
    assert "## Sources" in answers[1].content


def test_a_chat_model_of_langchain_judges_a_run(library):
    model = GenericFakeChatModel(messages=iter([AIMessage("not what was asked")] * 500))

    def ask(request):
        return model.invoke([("system", request["system"]), ("user", request["messages"][0]["content"])])

    report = probity.research(
        "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
        library=library,
        model=ask,
        mode="quick",
    )
    assert report.decision in ("full_report", "short_report", "insufficient_data")
    assert "not what was asked" not in report.markdown
