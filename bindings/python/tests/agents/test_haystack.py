"""Haystack, in a pipeline with a scripted model on loopback, and one that is written down and read back."""

import pytest

pytest.importorskip("haystack")

from haystack import Document, Pipeline
from haystack.components.builders import PromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.utils import Secret
from probity.integrations.haystack import SourceVetter

QUESTION = "How long does the Lorne ferry take in summer?"
GOOD = "The Lorne ferry takes 40 minutes in summer and an hour in winter."


def documents():
    return [
        Document(content=GOOD, meta={"url": "https://www.lorne.gov.uk/ferry", "title": "Lorne ferry in summer"}),
        Document(content="So cute.", meta={"url": "https://x.com/cats/status/1"}),
        Document(content="The museum was founded by a whaler.", meta={}),
        Document(content=None, meta={"url": "https://x.com/cats/status/2"}),
    ]


def pipeline(**options):
    made = Pipeline()
    made.add_component("vetter", SourceVetter(**options))
    made.add_component("prompt", PromptBuilder("{% for one in documents %}{{ one.content }}{% endfor %}"))
    made.connect("vetter.documents", "prompt.documents")
    return made


def run(made):
    given = {"vetter": {"query": QUESTION, "documents": documents()}}
    return made.run(given, include_outputs_from={"vetter"})


def test_only_what_is_kept_reaches_the_prompt():
    said = run(pipeline())
    assert said["prompt"]["prompt"] == GOOD
    dropped = said["vetter"]["dropped"]
    assert len(dropped) == 3 and all(one.meta["probity_why"] for one in dropped)


def test_a_pipeline_that_was_written_down_vets_alike():
    written = pipeline(config={"threshold": 0.3}, drop=False).dumps()
    made = Pipeline.loads(written, allowed_modules=["probity.integrations.haystack"])
    said = run(made)
    assert [one.meta["probity_kept"] for one in said["vetter"]["documents"]][0]
    assert said["vetter"]["dropped"] == []


def test_settings_that_cannot_be_used_are_named():
    with pytest.raises(ValueError, match="threshold"):
        SourceVetter(config={"threshold": 7})


def test_a_model_in_a_pipeline_sees_nothing_that_was_dropped(model):
    model.script = lambda prompt: "40 minutes."
    vetter = SourceVetter()
    found = vetter.run(query=QUESTION, documents=documents())["documents"]
    client = OpenAIChatGenerator(model="scripted", api_base_url=model.address, api_key=Secret.from_token("none"), max_retries=0)
    prompt = PromptBuilder("{% for one in documents %}{{ one.content }}{% endfor %}").run(documents=found)["prompt"]
    answer = client.run([ChatMessage.from_user(prompt)])["replies"][0]
    assert answer.text == "40 minutes."
    assert model.saw(GOOD)
    assert not model.saw("So cute") and not model.saw("whaler")
