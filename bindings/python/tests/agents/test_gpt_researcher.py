"""gpt-researcher, with its own scraping of what our retriever hands on."""

import asyncio
import importlib

import probity
import pytest
from probity.integrations.gpt_researcher import vetted

QUESTION = "How long does the Lorne ferry take in summer?"


class Search:
    """A retriever in the form of gpt-researcher's own."""

    results: list = []

    def __init__(self, query, query_domains=None):
        self.query = query

    def search(self, max_results=5):
        return self.results[:max_results]


def finds(*results):
    return type("Search", (Search,), {"results": list(results)})


GOOD = {"href": "https://www.lorne.gov.uk/ferry", "body": "How long the Lorne ferry takes in summer: 40 minutes"}
BAD = {"href": "https://x.com/cats/status/1", "body": "So cute"}


def test_what_is_blocked_is_not_handed_on():
    retriever = vetted(finds(BAD, GOOD), QUESTION)
    assert retriever("Lorne ferry summer").search(5) == [{"title": ""} | GOOD]
    assert [scored.url for scored in retriever.blocked] == [BAD["href"]]
    assert all("blocked" in scored.explanation for scored in retriever.blocked)


def test_more_is_asked_for_so_that_enough_is_left():
    retriever = vetted(finds(BAD, BAD, GOOD), QUESTION)
    assert len(retriever("Lorne ferry summer").search(1)) == 1


def test_results_in_any_form_and_without_an_address_are_borne():
    retriever = vetted(finds({"title": "no address"}, None, {"url": "junk"}, GOOD), QUESTION)
    assert len(retriever("Lorne ferry summer").search(5)) == 1
    with pytest.raises(probity.UsageError):
        vetted(finds(GOOD))("?").search(5)


def test_a_whole_report_never_meets_what_was_blocked(site, model, monkeypatch):
    pytest.importorskip("gpt_researcher")
    for name, value in {
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": model.address,
        "FAST_LLM": "openai:scripted",
        "SMART_LLM": "openai:scripted",
        "STRATEGIC_LLM": "openai:scripted",
        "EMBEDDING": "custom:scripted",
    }.items():
        monkeypatch.setenv(name, value)
    # It counts tokens by a table that it would download.
    costs = importlib.import_module("gpt_researcher.utils.costs")
    monkeypatch.setattr(costs.tiktoken, "get_encoding", lambda name: Words)
    monkeypatch.setattr(costs.tiktoken, "encoding_for_model", lambda name: Words)

    good = site.page("/ferry", "Lorne ferry in summer", *["The Lorne ferry takes 40 minutes in summer."] * 10)
    bad = site.page("/cats", "Cats", *["So cute."] * 50)
    found = [
        {"href": good, "title": "How long the Lorne ferry takes in summer", "body": "40 minutes, 2026"},
        {"href": bad, "title": "Cats", "body": "So cute"},
    ]

    def answer(prompt):
        if "server" in prompt and "agent_role_prompt" in prompt:
            return '{"server": "Travel Agent", "agent_role_prompt": "You know ferries."}'
        if "search queries" in prompt:
            return '["Lorne ferry summer crossing"]'
        return f"# The Lorne ferry\n\nIt takes 40 minutes ([source]({good}))."

    model.script = answer
    researcher = importlib.import_module("gpt_researcher")
    agent = researcher.GPTResearcher(query=QUESTION, verbose=False)
    agent.retrievers = [vetted(finds(*found), QUESTION)]

    async def report():
        await agent.conduct_research()
        return await agent.write_report()

    assert "40 minutes" in asyncio.run(report())
    assert site.asked_for("/ferry") and not site.asked_for("/cats")
    assert model.saw("The Lorne ferry takes 40 minutes in summer.")
    assert not model.saw("So cute"), "neither its page nor its snippet reaches a prompt"


class Words:
    """A table of tokens that need not be downloaded."""

    @staticmethod
    def encode(text, *_, **__):
        return text.split()


def test_the_researcher_scrapes_only_what_is_handed_on(site, monkeypatch):
    pytest.importorskip("gpt_researcher")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    researcher = importlib.import_module("gpt_researcher")
    good = site.page("/ferry", "Lorne ferry in summer", "The Lorne ferry takes 40 minutes in summer." * 10)
    bad = site.page("/cats", "Cats", "So cute." * 50)
    found = [
        {"href": good, "title": "How long the Lorne ferry takes in summer", "body": "40 minutes, 2026"},
        {"href": bad, "title": "Cats", "body": "So cute"},
    ]
    agent = researcher.GPTResearcher(query=QUESTION, verbose=False)
    agent.retrievers = [vetted(finds(*found), QUESTION)]
    conductor = agent.research_conductor
    scraped = asyncio.run(conductor._scrape_data_by_urls("Lorne ferry summer"))
    assert any("40 minutes" in page["raw_content"] for page in scraped)
    assert site.asked_for("/ferry")
    assert not site.asked_for("/cats"), "a blocked page is never scraped"
