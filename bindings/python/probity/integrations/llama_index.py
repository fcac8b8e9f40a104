"""LlamaIndex: a retriever that vets what another one finds, and a post-processor for any query engine.

    from probity.integrations.llama_index import VettingPostprocessor

    engine = index.as_query_engine(node_postprocessors=[VettingPostprocessor()])
"""

from __future__ import annotations

from typing import Any

from llama_index.core.bridge.pydantic import ConfigDict, Field
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

from .vetting import Vetting, address, title

__all__ = ["VettedRetriever", "Vetting", "VettingPostprocessor"]


class VettingPostprocessor(BaseNodePostprocessor):
    """Drops the nodes that the score blocks and the gate drops, or marks them with ``drop=False``.

    The verdict is in the node's metadata, and is shown neither to models nor to embeddings.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    vetting: Vetting = Field(default_factory=Vetting)

    @classmethod
    def class_name(cls) -> str:
        return "VettingPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        if query_bundle is None:
            raise ValueError("vetting needs the question: call it with a query_bundle or query_str")
        return vetted(self.vetting, query_bundle.query_str, nodes)


class VettedRetriever(BaseRetriever):
    """Gives what another retriever finds, without what the score blocks and the gate drops."""

    def __init__(self, retriever: BaseRetriever, vetting: Vetting | None = None, **options: Any) -> None:
        self._retriever = retriever
        self._vetting = vetting or Vetting()
        super().__init__(**options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = self._retriever.retrieve(query_bundle)
        return vetted(self._vetting, query_bundle.query_str, found)


def vetted(vetting: Vetting, question: str, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
    """The nodes that are kept, in their order, each with its verdict."""
    kept = []
    for node in nodes:
        about = node.node.metadata
        text = node.node.get_content(metadata_mode=MetadataMode.NONE)
        verdict = vetting.judge(question, text, address(about), title(about))
        if not verdict.kept and vetting.drop:
            continue
        marks = verdict.metadata()
        inner = node.node.model_copy(
            update={
                "metadata": about | marks,
                "excluded_llm_metadata_keys": [*node.node.excluded_llm_metadata_keys, *marks],
                "excluded_embed_metadata_keys": [*node.node.excluded_embed_metadata_keys, *marks],
            }
        )
        kept.append(NodeWithScore(node=inner, score=node.score))
    return kept
