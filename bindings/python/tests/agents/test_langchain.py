"""LangChain, with its own classes and a scripted model on loopback."""

import asyncio

import probity
import pytest

pytest.importorskip("langchain_core")
pytest.importorskip("langchain_openai")

from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langchain_core.retrievers import BaseRetriever
from langchain_openai import ChatOpenAI
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


def chat(model):
    """LangChain's own client of the scripted model."""
    return ChatOpenAI(model="scripted", base_url=model.address, api_key="none", max_retries=0)


def test_a_model_calls_the_tools_and_reads_their_answers(library, model):
    ordinance = "What does Port Ellery's noise ordinance say about amplified outdoor music at night?"
    calls = [
        ("score_source", {"url": "https://x.com/a/status/1", "question": QUESTION}),
        ("research", {"question": ordinance}),
    ]
    model.script = lambda prompt: "Done." if "## Sources" in prompt else calls
    tools = {tool.name: tool for tool in (research_tool(library=library, mode="quick"), score_tool())}
    agent = chat(model).bind_tools(list(tools.values()))
    messages = [HumanMessage("Look into it.")]
    messages.append(agent.invoke(messages))
    messages += [tools[call["name"]].invoke(call) for call in messages[-1].tool_calls]
    assert agent.invoke(messages).content == "Done."
    assert model.saw('"blocked": true') and model.saw("## Sources")


def test_a_chain_shows_a_model_nothing_that_was_dropped(model):
    model.script = lambda prompt: "40 minutes."
    retriever = VettedRetriever(retriever=Found(documents=documents()))
    chain = retriever | (lambda found: "\n".join(one.page_content for one in found)) | chat(model)
    assert chain.invoke(QUESTION).content == "40 minutes."
    assert model.saw(GOOD)
    assert not model.saw("So cute") and not model.saw("whaler")


def test_a_chat_model_of_langchain_judges_a_run(library, model):
    model.script = lambda prompt: "not what was asked"
    client = chat(model)

    def ask(request):
        return client.invoke([("system", request["system"]), ("user", request["messages"][0]["content"])])

    report = probity.research(
        "What does Port Ellery's noise ordinance say about amplified outdoor music at night?",
        library=library,
        model=ask,
        mode="quick",
    )
    assert model.prompts, "the model was asked"
    assert report.decision in ("full_report", "short_report", "insufficient_data")
    assert "not what was asked" not in report.markdown
