"""Research from Python: the caller's own search and model, events, and an asynchronous twin."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from os import PathLike
from typing import Any, TypeVar

from . import _native
from ._results import normalise
from .errors import WrongTypeError

__all__ = ["research", "research_async"]

T = TypeVar("T")
Search = Callable[[str, int], Any]
Model = Callable[[dict[str, Any]], Any]
OnEvent = Callable[[dict[str, Any]], Any]
# How a value that may have to be awaited is waited for, on a thread that is not the loop's.
Settle = Callable[[Any], Any]


def research(
    question: str,
    *,
    library: str | PathLike[str] | None = None,
    search: str | Search | None = None,
    urls: Iterable[str] | None = None,
    model: str | Model | None = None,
    model_name: str | None = None,
    mode: str = "standard",
    on_event: OnEvent | None = None,
    on_unverified: str = "mark",
    agentic: bool = False,
    skeptic: bool | None = None,
    allow_hosts: Iterable[str] = (),
    max_cost: float | None = None,
    max_tokens: int | None = None,
    max_calls: int | None = None,
    ledger: _native.Ledger | None = None,
    config: Mapping[str, Any] | str | PathLike[str] | None = None,
    now: Any = None,
) -> _native.Report:
    """Researches a question and gives a checked report.

    ``library`` is a folder of documents. ``search`` names providers (``"auto"``, ``"brave,wikipedia"``)
    or is a function ``(query, limit)`` that returns results: mappings or objects with an address, a title
    and a snippet. What it finds is scored, and blocked where the score is too low, before anything is
    fetched.

    ``model`` names a language model (``"auto"``, ``"anthropic"``, ``"ollama:qwen3"``) or is a function that
    takes a request (``task``, ``system``, ``messages``, ``schema``, ``max_output_tokens``) and returns the
    answer as a text, a mapping, or a message with ``content``. Without one the embedded analyst judges:
    no network, no key. What a model writes is checked against the sources like everything else.

    ``on_event`` is called with each event as a mapping, on this thread; what it raises ends the run.
    Insufficient sources are a report too: ``report.decision`` says so.
    """
    given = _Given(library, search, urls, model, model_name)
    options = given.options(_settle_here) | {
        "mode": mode,
        "on_unverified": on_unverified,
        "agentic": agentic,
        "skeptic": skeptic,
        "allow_hosts": allow_hosts,
        "max_cost": max_cost,
        "max_tokens": max_tokens,
        "max_calls": max_calls,
        "config": dict(config) if isinstance(config, Mapping) else config,
        "now": now,
    }
    return _native.research(question, options, ledger=ledger, on_event=on_event)


async def research_async(
    question: str, *, on_event: OnEvent | None = None, **options: Any
) -> _native.Report:
    """As :func:`research`, without blocking the event loop.

    ``search``, ``model`` and ``on_event`` may be coroutine functions; they run on this loop. Cancelling
    the task stops the run.
    """
    # Not above: whoever only scores need not wait for event loops to be imported.
    import asyncio
    import inspect

    loop = asyncio.get_running_loop()
    switch = _native.Switch()

    def settle(value: Any) -> Any:
        if not isinstance(value, Awaitable):
            return value
        return asyncio.run_coroutine_threadsafe(_awaited(value), loop).result()

    def tell(event: dict[str, Any]) -> None:
        if on_event is not None:
            call = functools.partial(_call, on_event, event)
            asyncio.run_coroutine_threadsafe(call(), loop).result()

    usual = inspect.signature(research).parameters
    unknown = options.keys() - usual.keys()
    if unknown:
        raise TypeError(f"research_async() got an unexpected keyword argument {min(unknown)!r}")
    filled = {
        name: options.get(name, parameter.default)
        for name, parameter in usual.items()
        if name not in ("question", "on_event")
    }
    ledger = filled.pop("ledger")
    given = _Given(*(filled.pop(name) for name in _Given.FIELDS))
    if isinstance(filled["config"], Mapping):
        filled["config"] = dict(filled["config"])
    call = functools.partial(
        _native.research,
        question,
        given.options(settle) | filled,
        ledger=ledger,
        on_event=tell if on_event is not None else None,
        switch=switch,
    )
    running = loop.run_in_executor(None, call)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        switch.stop()
        # The thread ends by itself; whatever it says then nobody wants to know.
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise


class _Given:
    """Where a run looks and who judges, as the caller gave it."""

    FIELDS = ("library", "search", "urls", "model", "model_name")

    def __init__(self, library: Any, search: Any, urls: Any, model: Any, model_name: Any) -> None:
        for name, value in (("search", search), ("model", model)):
            if not (value is None or isinstance(value, str) or callable(value)):
                raise WrongTypeError(
                    f"`{name}` has to be a text or a function, not {type(value).__name__}"
                )
        self.library, self.search, self.urls = library, search, urls
        self.model, self.model_name = model, model_name

    def options(self, settle: Settle) -> dict[str, Any]:
        """What the engine is told; functions are made to return what it takes."""
        find, ask = None, None
        if callable(self.search):
            find = functools.partial(_found, self.search, settle)
        if callable(self.model):
            ask = functools.partial(_answered, self.model, settle)
        return {
            "library": self.library,
            "search": None if find else self.search,
            "find": find,
            "urls": self.urls,
            "model": None if ask else self.model,
            "ask": ask,
            "ask_name": self.model_name or (_name(self.model) if ask else None),
        }


def _found(
    search: Search, settle: Settle, query: str, limit: int
) -> list[tuple[str, str, str, str | None]]:
    return normalise(settle(search(query, limit)), limit)


def _answered(model: Model, settle: Settle, request: str) -> str:
    answer = settle(model(json.loads(request)))
    answer = getattr(answer, "content", answer)
    if isinstance(answer, str):
        return answer
    if isinstance(answer, (Mapping, list)):
        return json.dumps(answer)
    raise TypeError(
        f"the model has to return a text, a mapping or a message, not {type(answer).__name__}"
    )


def _name(model: Any) -> str:
    """What a report is signed with: the function's name, as far as it is letters."""
    name = getattr(model, "__name__", None) or type(model).__name__
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in name)
    return kept.strip("-.") or "function"


def _settle_here(value: Any) -> Any:
    if not isinstance(value, Awaitable):
        return value
    import asyncio

    return asyncio.run(_awaited(value))


async def _awaited(value: Awaitable[T]) -> T:
    return await value


def _call(on_event: OnEvent, event: dict[str, Any]) -> Coroutine[Any, Any, None]:
    async def call() -> None:
        told = on_event(event)
        if isinstance(told, Awaitable):
            await told

    return call()
