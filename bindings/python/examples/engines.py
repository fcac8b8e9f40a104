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


def pages_of_warc(path: str, at_once: int = 500) -> Iterator[pa.Table]:
    """The HTML pages of a WARC file with their addresses, so many at a time; what was no success is left out."""
    import pyarrow as pa
    from warcio.archiveiterator import ArchiveIterator

    addresses: list[str] = []
    pages: list[bytes] = []

    def table() -> pa.Table:
        return pa.table({"id": pa.array(addresses, pa.string()), "html": pa.array(pages, pa.large_binary())})

    with open(path, "rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type != "response" or record.http_headers.get_statuscode() != "200":
                continue
            addresses.append(record.rec_headers.get_header("WARC-Target-URI"))
            pages.append(record.content_stream().read())
            if len(pages) == at_once:
                yield table()
                addresses, pages = [], []
    # A file without a page gives one empty table, so that its columns are known.
    yield table()


def extract_warc(path: str) -> Iterator[pa.Table]:
    """What the pages of a WARC file say, so many at a time."""
    return (extract_table(pages) for pages in pages_of_warc(path))


def write_warc(path: str, target: str) -> None:
    """A WARC file in, one Parquet file out, with a batch of pages in memory at a time."""
    import pyarrow.parquet as pq

    tables = extract_warc(path)
    first = next(tables)
    with pq.ParquetWriter(target, first.schema) as writer:
        writer.write_table(first)
        for table in tables:
            writer.write_table(table)


def warc_with_dask(source: str, target: str) -> None:
    """A folder of WARC files in, Parquet out, over the workers of the current Dask client."""
    import dask

    write = dask.delayed(write_warc)
    files = enumerate(_files(source, "*.warc.gz"))
    dask.compute(*(write(path, f"{target}/{part:05}.parquet") for part, path in files))


def warc_with_ray(source: str, target: str) -> None:
    """A folder of WARC files in, Parquet out, over the nodes of the current Ray cluster."""
    import ray

    def extract(paths: pa.Table) -> Iterator[pa.Table]:
        for path in paths.column("path").to_pylist():
            yield from extract_warc(path)

    files = _files(source, "*.warc.gz")
    data = ray.data.from_items([{"path": path} for path in files], override_num_blocks=len(files))
    data.map_batches(extract, batch_format="pyarrow", batch_size=1).write_parquet(target)


def warc_with_spark(source: str, target: str) -> None:
    """A folder of WARC files in, Parquet out, over the executors of the current Spark session."""
    import pyarrow as pa
    from pyspark.sql import SparkSession
    from pyspark.sql.pandas.types import from_arrow_schema

    spark = SparkSession.getActiveSession()
    files = _files(source, "*.warc.gz")
    nothing = {"id": pa.array([], pa.string()), "html": pa.array([], pa.large_binary())}
    shape = extract_table(pa.table(nothing)).schema

    def extract(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column(0).to_pylist():
                for table in extract_warc(path):
                    yield from table.to_batches()

    paths = spark.createDataFrame([(path,) for path in files], "path string").repartition(len(files))
    paths.mapInArrow(extract, from_arrow_schema(shape)).write.parquet(target)


def _files(folder: str, pattern: str = "*.parquet") -> list[str]:
    import pathlib

    return [str(path) for path in sorted(pathlib.Path(folder).glob(pattern))]
