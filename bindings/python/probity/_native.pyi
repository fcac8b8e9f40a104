"""The compiled part of the package; import it from ``probity``."""

from collections.abc import Iterable
from datetime import date, datetime
from os import PathLike
from typing import Any, Protocol, final

@final
class Score:
    """A page's score with its parts and the reason for each."""

    url: str
    host: str
    outlet: str | None
    tier: str
    authority: float
    authority_source: str
    relevance: float
    relevance_to_question: float
    relevance_to_query: float | None
    recency: float
    score: float
    blocked: bool
    explanation: str
    def to_dict(self) -> dict[str, Any]: ...
    def __float__(self) -> float: ...

@final
class Scorer:
    """Scores many pages by one policy, one state of the ledger, at one instant."""

    def __init__(
        self,
        config: dict[str, Any] | str | PathLike[str] | None = None,
        *,
        now: str | date | datetime | None = None,
    ) -> None: ...
    @property
    def threshold(self) -> float: ...
    def score(
        self,
        url: str,
        question: str,
        title: str | None = "",
        snippet: str | None = "",
        *,
        date: date | None = None,
        queries: Iterable[str] | None = None,
    ) -> Score: ...

def score(
    url: str,
    question: str,
    title: str | None = "",
    snippet: str | None = "",
    *,
    date: date | None = None,
    queries: Iterable[str] | None = None,
) -> Score:
    """Scores one page by the embedded defaults, as ``probity score`` does without a store."""

@final
class Outlet:
    """The publisher behind an address."""

    outlet: str | None
    publisher_url: str | None
    method: str
    resolved: bool
    hops: int
    reason: str
    authority: float | None
    band: str | None
    explanation: str | None
    def to_dict(self) -> dict[str, Any]: ...

def outlet(url: str) -> Outlet:
    """The publisher behind an address, from the address alone; nothing is fetched."""

def unwrap(url: str) -> str | None:
    """The publisher's page behind an aggregator's address; None where only the network could tell."""

@final
class Heading:
    """A heading of a text."""

    level: int
    text: str
    start: int

@final
class Extracted:
    """A page or file as text. Everything in it is untrusted."""

    @property
    def text(self) -> str: ...
    @property
    def markdown(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def author(self) -> str | None: ...
    @property
    def site(self) -> str | None: ...
    @property
    def published(self) -> date | None: ...
    @property
    def updated(self) -> date | None: ...
    @property
    def language(self) -> str | None: ...
    @property
    def canonical(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def cut_short(self) -> str | None: ...
    @property
    def headings(self) -> list[Heading]: ...
    @property
    def tables(self) -> list[list[list[str]]]: ...
    @property
    def page_starts(self) -> list[int]: ...
    def to_dict(self) -> dict[str, Any]: ...

def extract(
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    seconds: float | None = None,
) -> Extracted:
    """Reads a page: HTML, or any format that the engine knows, as text or bytes."""

def extract_pdf(data: bytes, *, seconds: float | None = None) -> Extracted:
    """Reads a PDF file."""

@final
class Answer:
    """What the reader says about a question and a passage."""

    answerable: float
    topic: float
    span: str | None
    start: int | None
    end: int | None
    score: float | None
    sentence: str | None
    def to_dict(self) -> dict[str, Any]: ...

@final
class Entailment:
    """How probable it is that a passage supports a claim, says too little, or contradicts it."""

    supported: float
    not_enough: float
    contradicted: float
    def to_dict(self) -> dict[str, Any]: ...

@final
class Relevance:
    """How well a text answers a question, from 1 to 5, and why."""

    score: int
    value: float
    why: str
    answerable: float
    topic: float
    evidence: str | None
    def to_dict(self) -> dict[str, Any]: ...

@final
class Reader:
    """Reads questions and claims beside passages."""

    def __init__(self, model: str = "embedded", *, threads: int | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    def answers(self, question: str, passages: Iterable[str]) -> list[Answer]: ...
    def entails(self, claim: str, passages: Iterable[str]) -> list[Entailment]: ...

def relevance(
    question: str, text: str, title: str | None = "", *, reader: Reader | None = None
) -> Relevance:
    """How well a text answers a question, as the gate of a run judges it."""

@final
class Citation:
    """What checking a claim against a source found."""

    support: str
    value: float
    contradicted: bool
    passage: str | None
    start: int | None
    end: int | None
    reasons: list[str]
    @property
    def supported(self) -> bool: ...
    def to_dict(self) -> dict[str, Any]: ...

def check_citation(claim: str, source: str, *, reader: Reader | None = None) -> Citation:
    """Checks a claim against the text of the source that it cites."""

class ArrowBatch(Protocol):
    """One batch of Arrow data: what ``pyarrow.record_batch`` takes."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class ArrowStream(Protocol):
    """Batches of Arrow data: what ``pyarrow.table``, ``polars.DataFrame`` and ``duckdb`` take."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def score_batch(
    data: ArrowBatch | ArrowStream,
    question: str | None = None,
    *,
    columns: dict[str, str | None] | None = None,
    keep: Iterable[str] | None = None,
    explain: bool = True,
    scorer: Scorer | None = None,
    threads: int | None = None,
    stream: bool = False,
) -> Any:
    """Scores rows: ``url``, and ``title``, ``snippet``, ``date``, ``query``, ``question`` where they are there."""

def extract_batch(
    data: ArrowBatch | ArrowStream,
    *,
    columns: dict[str, str | None] | None = None,
    keep: Iterable[str] | None = None,
    markdown: bool = False,
    seconds: float | None = None,
    threads: int | None = None,
    stream: bool = False,
) -> Any:
    """Reads rows: ``html`` (texts or bytes), and ``url`` and ``content_type`` where they are there."""

def check_batch(
    data: ArrowBatch | ArrowStream,
    *,
    columns: dict[str, str | None] | None = None,
    keep: Iterable[str] | None = None,
    reader: Reader | None = None,
    threads: int | None = None,
    stream: bool = False,
) -> Any:
    """Checks rows: ``claim`` against ``source``, the text that it cites."""

def cluster_batch(
    data: ArrowBatch | ArrowStream,
    *,
    columns: dict[str, str | None] | None = None,
    keep: Iterable[str] | None = None,
    threshold: float | None = None,
    half_life_hours: float | None = None,
) -> Any:
    """Groups rows into stories: ``title``, and ``text`` and ``published`` where they are there."""

@final
class Ledger:
    """An outlet ledger in a SQLite file or on a PostgreSQL server."""

    def __init__(self, path: str | PathLike[str], *, create: bool = False) -> None: ...
    def outlets(
        self,
        text: str | None = None,
        *,
        at_least: float | None = None,
        below: float | None = None,
        order: str = "score",
        limit: int | None = None,
        offset: int = 0,
    ) -> list[dict[str, Any]]: ...
    def outlet(self, name: str) -> dict[str, Any] | None: ...
    def history(
        self,
        name: str | None = None,
        *,
        after: int | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[dict[str, Any]]: ...
    def verify(self, head: str | None = None) -> dict[str, Any]: ...
    def code(
        self,
        target: str,
        codes: Iterable[str],
        *,
        by: str,
        note: str | None = None,
        alpha: float = 0.1,
        run: str | None = None,
        new: bool = False,
        dry_run: bool = False,
    ) -> dict[str, Any]: ...
    def codebook(self) -> list[dict[str, Any]]: ...
    def scorer(
        self,
        config: dict[str, Any] | str | PathLike[str] | None = None,
        *,
        now: str | date | datetime | None = None,
    ) -> Scorer: ...
    def close(self) -> None: ...
    def __enter__(self) -> Ledger: ...
    def __exit__(self, *args: object) -> None: ...

@final
class Switch:
    """Stops a run from another thread."""

    def __init__(self) -> None: ...
    def stop(self) -> None: ...

@final
class Report:
    """A checked report, or the account of why the sources do not suffice."""

    @property
    def title(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def decision(self) -> str: ...
    @property
    def rationale(self) -> str: ...
    @property
    def answered(self) -> bool: ...
    @property
    def markdown(self) -> str: ...
    @property
    def html(self) -> str: ...
    @property
    def json(self) -> str: ...
    @property
    def sources(self) -> list[dict[str, Any]]: ...
    @property
    def candidates(self) -> list[dict[str, Any]]: ...
    @property
    def statements(self) -> list[dict[str, Any]]: ...
    @property
    def problems(self) -> list[dict[str, Any]]: ...
    @property
    def confidence(self) -> dict[str, Any] | None: ...
    def to_dict(self) -> dict[str, Any]: ...
    def render(self, format: str) -> bytes: ...
    def _repr_html_(self) -> str: ...
    def _repr_markdown_(self) -> str: ...

def research(
    question: str,
    options: dict[str, Any],
    *,
    ledger: Ledger | None = None,
    on_event: Any = None,
    switch: Switch | None = None,
) -> Report:
    """Researches a question; ``probity.research`` is the way to call it."""
