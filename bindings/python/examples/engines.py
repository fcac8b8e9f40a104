"""Scoring and extraction on more than one machine: the same batches, handed out by an engine.

Each function takes and gives files, so that it runs on a cluster as it runs here. The work is always the
same: Arrow batches in, ``probity.score_batch`` or ``probity.extract_batch``, Arrow batches out. Engines
give each worker its own core, so a worker works on one thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

# One instant for all workers, so that years and "days ago" mean the same everywhere.
Options = dict[str, str]


def score_table(table: pa.Table, question: str, now: str) -> pa.Table:
    """Scores the addresses of a table on the core at hand."""
    import probity
    import pyarrow as pa

    scorer = probity.Scorer(now=now)
    batch = probity.score_batch(
        table, question, scorer=scorer, columns={"url": "address"}, keep=["id"], explain=False, threads=1
    )
    return pa.table(batch)


def extract_table(table: pa.Table) -> pa.Table:
    """Reads the pages of a table on the core at hand."""
    import probity
    import pyarrow as pa

    return pa.table(probity.extract_batch(table, columns={"url": None}, keep=["id"], threads=1))


def with_dask(source: str, target: str, question: str, now: str) -> None:
    """Parquet in, Parquet out, over the workers of the current Dask client."""
    import dask
    import pyarrow.parquet as pq

    @dask.delayed
    def score_file(path: str, part: int) -> None:
        pq.write_table(score_table(pq.read_table(path), question, now), f"{target}/{part:05}.parquet")

    dask.compute(*(score_file(path, part) for part, path in enumerate(_files(source))))


def with_ray(source: str, target: str, question: str, now: str) -> None:
    """Parquet in, Parquet out, over the nodes of the current Ray cluster."""
    import ray

    data = ray.data.read_parquet(source)
    scored = data.map_batches(
        score_table,
        batch_format="pyarrow",
        batch_size=None,
        fn_kwargs={"question": question, "now": now},
    )
    scored.write_parquet(target)


def with_spark(source: str, target: str, question: str, now: str) -> None:
    """Parquet in, Parquet out, over the executors of the current Spark session."""
    import probity
    import pyarrow as pa
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema

    spark = SparkSession.getActiveSession()
    data = spark.read.parquet(source)
    empty = pa.table({"id": pa.array([], pa.int64()), "address": pa.array([], pa.string())})
    shape = pa.schema(pa.table(probity.score_batch(
        empty, question, columns={"url": "address"}, keep=["id"], explain=False
    )).schema)

    def score(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield from score_table(pa.Table.from_batches([batch]), question, now).to_batches()

    data.mapInArrow(score, from_arrow_schema(shape)).write.parquet(target)


def pages_of_warc(path: str) -> pa.Table:
    """The HTML pages of a WARC file, with their addresses; what was no success is left out."""
    import pyarrow as pa
    from warcio.archiveiterator import ArchiveIterator

    addresses, pages = [], []
    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response" or record.http_headers.get_statuscode() != "200":
                continue
            addresses.append(record.rec_headers.get_header("WARC-Target-URI"))
            pages.append(record.content_stream().read())
    return pa.table({"id": addresses, "html": pa.array(pages, pa.large_binary())})


def _files(folder: str) -> list[str]:
    import pathlib

    return [str(path) for path in sorted(pathlib.Path(folder).glob("*.parquet"))]
