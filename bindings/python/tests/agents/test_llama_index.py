"""LlamaIndex, with its own classes and a scripted model on loopback."""

import pytest

pytest.importorskip("llama_index.core")
pytest.importorskip("llama_index.llms.openai_like")

from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.llms.openai_like import OpenAILike
from probity.integrations.llama_index import VettedRetriever, Vetting, VettingPostprocessor

QUESTION = "How long does the Lorne ferry take in summer?"
GOOD = "The Lorne ferry takes 40 minutes in summer and an hour in winter."


class Found(BaseRetriever):
    def _retrieve(self, query_bundle):
        return nodes()


def nodes():
    made = [
        (GOOD, {"url": "https://www.lorne.gov.uk/ferry", "title": "Lorne ferry in summer"}),
        ("So cute.", {"url": "https://x.com/cats/status/1", "title": "Cats"}),
        ("The museum was founded by a whaler.", {"file_name": "museum.md"}),
    ]
    return [NodeWithScore(node=TextNode(text=text, metadata=about), score=0.5) for text, about in made]


def test_a_retriever_drops_what_fails():
    (kept,) = VettedRetriever(Found()).retrieve(QUESTION)
    assert kept.node.metadata["url"] == "https://www.lorne.gov.uk/ferry"
    assert kept.score == 0.5
    assert "probity_why" not in kept.node.get_content(metadata_mode="llm")


def test_a_post_processor_marks_what_fails():
    processor = VettingPostprocessor(vetting=Vetting(drop=False))
    marked = processor.postprocess_nodes(nodes(), query_str=QUESTION)
    assert [one.node.metadata["probity_kept"] for one in marked] == [True, False, False]
    with pytest.raises(ValueError, match="question"):
        processor.postprocess_nodes(nodes())


def test_a_query_engine_shows_a_model_nothing_that_was_dropped(model):
    model.script = lambda prompt: "It takes 40 minutes."
    client = OpenAILike(model="scripted", api_base=model.address, api_key="none", is_chat_model=True, max_retries=0)
    engine = RetrieverQueryEngine.from_args(Found(), llm=client, node_postprocessors=[VettingPostprocessor()])
    answer = engine.query(QUESTION)
    assert str(answer) == "It takes 40 minutes."
    assert model.saw(GOOD)
    assert not model.saw("So cute") and not model.saw("whaler")
    assert len(answer.source_nodes) == 1
