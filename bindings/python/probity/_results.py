"""Search results of any tool → what the engine scores: address, title, snippet, day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from itertools import islice
from typing import Any

__all__ = ["normalise"]

# What search tools call the same thing, the usual name first.
_ADDRESS = ("url", "href", "link", "source")
_TITLE = ("title", "name", "heading")
_SNIPPET = ("snippet", "body", "content", "description", "text", "summary", "page_content")
_DAY = ("date", "published", "published_date", "page_age")

Result = tuple[str, str, str, "str | None"]


def normalise(results: Any, limit: int) -> list[Result]:
    """The first results of whatever a search function returned."""
    if results is None:
        return []
    if isinstance(results, (str, bytes, Mapping)) or not isinstance(results, Iterable):
        raise TypeError(
            f"the search has to return a list of results, not {type(results).__name__}"
        )
    return [found for found in map(_result, islice(results, max(limit, 0))) if found is not None]


def _result(result: Any) -> Result | None:
    if isinstance(result, str):
        return result, "", "", None
    if isinstance(result, (tuple, list)):
        parts = [*result, None, None, None, None][:4]
        address, title, snippet, day = parts
    else:
        address = _first(result, _ADDRESS)
        title, snippet = _first(result, _TITLE), _first(result, _SNIPPET)
        day = _first(result, _DAY)
    if not isinstance(address, str):
        return None
    return address, _text(title), _text(snippet), _day(day)


def _first(result: Any, names: tuple[str, ...]) -> Any:
    """The first of some names that a result has, among its metadata too."""
    places = [result, _of(result, "metadata")]
    for place in places:
        for name in names:
            value = _of(place, name)
            if value:
                return value
    return None


def _of(result: Any, name: str) -> Any:
    if isinstance(result, Mapping):
        return result.get(name)
    return getattr(result, name, None)


def _text(value: Any) -> str:
    # Half of a surrogate pair is no text that anybody could have searched for.
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _day(value: Any) -> str | None:
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    return value[:10] if isinstance(value, str) else None
