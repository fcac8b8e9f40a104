"""Haystack: a component that vets documents between a retriever and its reader.

    from probity.integrations.haystack import SourceVetter

    pipeline.add_component("vetter", SourceVetter())
    pipeline.connect("retriever.documents", "vetter.documents")
    pipeline.connect("vetter.documents", "prompt_builder.documents")
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

import probity

from .vetting import Vetting, address, title

__all__ = ["SourceVetter"]


@component
class SourceVetter:
    """Splits documents into those that are kept and those that are not; each carries its verdict.

    ``config`` is the section ``[credibility]`` of the configuration, or the path of a file that has it;
    ``cutoff`` the least relevance from 1 to 5 that is kept, None to leave texts unread. With
    ``drop=False`` everything is among the documents, marked.
    """

    def __init__(
        self,
        config: dict[str, Any] | str | None = None,
        cutoff: int | None = 3,
        drop: bool = True,
    ) -> None:
        self.config, self.cutoff, self.drop = config, cutoff, drop
        self._vetting = Vetting(probity.Scorer(config), None, cutoff, drop)

    def to_dict(self) -> dict[str, Any]:
        """The component as a pipeline writes it down."""
        return default_to_dict(self, config=self.config, cutoff=self.cutoff, drop=self.drop)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SourceVetter:
        """The component as a pipeline reads it back."""
        return default_from_dict(cls, data)

    @component.output_types(documents=list[Document], dropped=list[Document])
    def run(self, query: str, documents: list[Document]) -> dict[str, list[Document]]:
        """Vets the documents that were found for a question."""
        kept: list[Document] = []
        dropped: list[Document] = []
        for document in documents:
            about = document.meta
            text = document.content or ""
            verdict = self._vetting.judge(query, text, address(about), title(about))
            marked = replace(document, meta=about | verdict.metadata())
            (kept if verdict.kept or not self.drop else dropped).append(marked)
        return {"documents": kept, "dropped": dropped}
