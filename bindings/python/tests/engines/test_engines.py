"""Engines hand the same batches out, and what comes back is what one process gives."""

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


@pytest.fixture
def ray_cluster():
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    yield
    ray.shutdown()


@pytest.fixture
def spark_session(monkeypatch):
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None:
        pytest.skip("PySpark needs Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    builder = sql.SparkSession.builder.master("local[2]").appName("probity")
    spark = builder.config("spark.ui.enabled", "false").getOrCreate()
    yield
    spark.stop()


def test_ray_gives_what_one_process_gives(source, expected, tmp_path, ray_cluster):
    engines.with_ray(source, str(tmp_path / "out"), QUESTION, NOW)
    same(written(tmp_path / "out"), expected)


def test_spark_gives_what_one_process_gives(source, expected, tmp_path, spark_session):
    engines.with_spark(source, str(tmp_path / "out"), QUESTION, NOW)
    same(written(tmp_path / "out"), expected)


PAGES = int(os.environ.get("PROBITY_TEST_PAGES", "1200"))
ARCHIVES = 4


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Pages in WARC files, every fiftieth a redirect, which is no page."""
    writer = pytest.importorskip("warcio.warcwriter")
    headers = pytest.importorskip("warcio.statusandheaders")
    folder = tmp_path_factory.mktemp("warc")
    for part in range(ARCHIVES):
        with open(folder / f"{part:05}.warc.gz", "wb") as file:
            made = writer.WARCWriter(file, gzip=True)
            for n in range(part, PAGES, ARCHIVES):
                status = "302 Found" if n % 50 == 49 else "200 OK"
                body = f"<h1>Fees {n}</h1><p>The fee for the great hall was {n} crowns a day last year.</p>"
                said = headers.StatusAndHeaders(status, [("Content-Type", "text/html")], protocol="HTTP/1.1")
                record = made.create_warc_record(
                    f"https://town.example/{n:06}", "response", payload=io.BytesIO(body.encode()), http_headers=said
                )
                made.write_record(record)
    return str(folder)


@pytest.fixture(scope="module")
def extracted(archives):
    """What one process makes of them."""
    files = sorted(pathlib.Path(archives).glob("*.warc.gz"))
    return ordered(pa.concat_tables(table for file in files for table in engines.extract_warc(str(file))))


def same_pages(found, expected):
    assert found.num_rows == expected.num_rows == PAGES - PAGES // 50
    assert found.select(expected.column_names).to_pylist() == expected.to_pylist()


def test_one_process_reads_the_pages_of_archives(archives, extracted, tmp_path):
    assert extracted.column("error").null_count == extracted.num_rows
    assert "7 crowns" in extracted.column("text").to_pylist()[7]
    for file in pathlib.Path(archives).glob("*.warc.gz"):
        engines.write_warc(str(file), f"{tmp_path}/{file.name}.parquet")
    same_pages(written(tmp_path), extracted)


def test_few_pages_are_in_memory_at_a_time(archives):
    (file, *_) = sorted(pathlib.Path(archives).glob("*.warc.gz"))
    sizes = [table.num_rows for table in engines.pages_of_warc(str(file), at_once=7)]
    assert max(sizes) == 7 and sizes[-1] < 7


def test_an_archive_without_a_page_gives_an_empty_file(tmp_path):
    (tmp_path / "none.warc.gz").write_bytes(b"")
    engines.write_warc(str(tmp_path / "none.warc.gz"), str(tmp_path / "none.parquet"))
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0


def test_dask_reads_archives_as_one_process_does(archives, extracted, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        engines.warc_with_dask(archives, str(tmp_path))
    same_pages(written(tmp_path), extracted)


def test_ray_reads_archives_as_one_process_does(archives, extracted, tmp_path, ray_cluster):
    engines.warc_with_ray(archives, str(tmp_path / "out"))
    same_pages(written(tmp_path / "out"), extracted)


def test_spark_reads_archives_as_one_process_does(archives, extracted, tmp_path, spark_session):
    engines.warc_with_spark(archives, str(tmp_path / "out"))
    same_pages(written(tmp_path / "out"), extracted)
