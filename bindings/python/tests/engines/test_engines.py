"""Engines hand the same batches out, and what comes back is what one process gives."""

import gzip
import io
import os
import pathlib
import shutil
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples"))
os.environ["PYTHONPATH"] = os.pathsep.join([sys.path[0], os.environ.get("PYTHONPATH", "")])

import engines

QUESTION = "How did oil prices move after the OPEC meeting?"
NOW = "2026-03-01T00:00:00Z"
ROWS = int(os.environ.get("PROBITY_TEST_ROWS", "20000"))
PARTS = 8


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Addresses in several files."""
    folder = tmp_path_factory.mktemp("addresses")
    hosts = ["www.reuters.com", "example.org", "x.com", "anu.edu.au", "blog.example.net", "a b"]
    for part in range(PARTS):
        rows = range(part, ROWS, PARTS)
        table = pa.table(
            {
                "id": list(rows),
                "address": [f"https://{hosts[n % 6]}/story/{n}" for n in rows],
                "title": [f"Oil prices after meeting {n}" if n % 3 else "Cats" for n in rows],
            }
        )
        pq.write_table(table, folder / f"{part:05}.parquet")
    return str(folder)


@pytest.fixture(scope="module")
def expected(source):
    """What one process makes of them."""
    return ordered(engines.score_table(pq.read_table(source), QUESTION, NOW))


def ordered(table):
    return table.sort_by("id").combine_chunks()


def written(folder):
    return ordered(pq.read_table(folder))


def same(found, expected):
    assert found.num_rows == expected.num_rows == ROWS
    # Engines write other kinds of the same texts.
    found = found.select(expected.column_names).cast(expected.schema).combine_chunks()
    assert found.equals(expected)


def test_one_process_finds_what_is_wrong_with_a_row(expected):
    errors = [row for row in expected.to_pylist() if row["error"]]
    assert len(errors) == len(range(5, ROWS, 6))


def test_dask_gives_what_one_process_gives(source, expected, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        engines.with_dask(source, str(tmp_path), QUESTION, NOW)
    same(written(tmp_path), expected)


def test_ray_gives_what_one_process_gives(source, expected, tmp_path):
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        engines.with_ray(source, str(tmp_path / "out"), QUESTION, NOW)
    finally:
        ray.shutdown()
    same(written(tmp_path / "out"), expected)


def test_spark_gives_what_one_process_gives(source, expected, tmp_path, monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("PySpark needs Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    builder = sql.SparkSession.builder.master("local[2]").appName("probity")
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    try:
        engines.with_spark(source, str(tmp_path / "out"), QUESTION, NOW)
    finally:
        spark.stop()
    same(written(tmp_path / "out"), expected)


@pytest.fixture(scope="module")
def warc(tmp_path_factory):
    """Pages in a WARC file, with a redirect that is no page."""
    writer = pytest.importorskip("warcio.warcwriter")
    headers = pytest.importorskip("warcio.statusandheaders")
    path = tmp_path_factory.mktemp("warc") / "pages.warc.gz"
    with open(path, "wb") as file:
        made = writer.WARCWriter(file, gzip=True)
        for n in range(200):
            status = "302 Found" if n % 50 == 49 else "200 OK"
            body = f"<h1>Fees {n}</h1><p>The fee for the great hall was {n} crowns a day last year.</p>"
            said = headers.StatusAndHeaders(status, [("Content-Type", "text/html")], protocol="HTTP/1.1")
            record = made.create_warc_record(
                f"https://town.example/{n}", "response", payload=io.BytesIO(body.encode()), http_headers=said
            )
            made.write_record(record)
    assert gzip.open(path).read(4) == b"WARC"
    return str(path)


def test_pages_of_a_warc_file_are_extracted_alike_by_an_engine(warc):
    dask = pytest.importorskip("dask")
    pages = engines.pages_of_warc(warc)
    assert pages.num_rows == 196
    alone = engines.extract_table(pages)
    assert alone.column("error").null_count == 196
    assert "7 crowns" in alone.column("text").to_pylist()[7]
    pieces = [dask.delayed(engines.extract_table)(pages.slice(start, 50)) for start in range(0, 196, 50)]
    spread = pa.concat_tables(dask.compute(*pieces, scheduler="processes", num_workers=2))
    assert spread.to_pylist() == alone.to_pylist()
