"""Rows per CPU-second of scoring and extraction: one process, and each engine on two local workers.

    python measure.py --rows 1000000 --pages 10000

Each way runs in a process of its own, and all the processor time of that process and its descendants is
counted, the engine's own included: `all` is with starting the engine, `work` without what an empty run of it takes.
"""

from __future__ import annotations

import argparse
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import time

QUESTION = "How did oil prices move after the OPEC meeting?"
NOW = "2026-03-01T00:00:00Z"
PARTS = 16
PAUSE = 0.1
HERE = pathlib.Path(__file__).parent


def processor_time(group: int, seen: dict[int, float]) -> None:
    """Notes the processor time of every process of a session, those that are gone included."""
    ticks = os.sysconf("SC_CLK_TCK")
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            text = pathlib.Path(entry.path, "stat").read_text()
        except OSError:
            continue
        fields = text.rsplit(")", 1)[1].split()
        if int(fields[3]) == group:
            seen[int(entry.name)] = (int(fields[11]) + int(fields[12])) / ticks


def measured(way: str, folder: str, target: str) -> tuple[float, float]:
    """Seconds on the clock and of processors that one way takes."""
    start = time.monotonic()
    command = [sys.executable, __file__, "--way", way, "--folder", folder, "--target", target]
    child = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    seen: dict[int, float] = {}
    said = b""
    while child.poll() is None:
        processor_time(child.pid, seen)
        time.sleep(PAUSE)
    if child.returncode != 0:
        said = child.stderr.read() if child.stderr else b""
        raise SystemExit(f"{way} failed: {said.decode(errors='replace')[-2000:]}")
    return time.monotonic() - start, sum(seen.values())


def addresses(folder: pathlib.Path, rows: int) -> None:
    """Writes addresses with titles and snippets, about 300 bytes a row."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    hosts = ["www.reuters.com", "example.org", "x.com", "anu.edu.au", "blog.example.net", "news.example.co.uk"]
    filler = "Analysts said on Monday that the market had expected as much, and that it would look to the winter. "
    for part in range(PARTS):
        ids = range(part, rows, PARTS)
        table = {
            "id": list(ids),
            "address": [f"https://{hosts[n % 6]}/2026/{n % 12}/story-about-something-{n}.html" for n in ids],
            "title": [f"Oil prices move after the OPEC meeting number {n}" for n in ids],
            "snippet": [f"{filler[: 60 + n % 40]} Prices, {n}." for n in ids],
        }
        pq.write_table(pa.table(table), folder / f"{part:05}.parquet")


def archives(folder: pathlib.Path, pages: int) -> None:
    """Writes pages of some 15 kB as WARC files."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    menu = "".join(f"<li><a href='/topic/{n}'>Topic {n}</a></li>" for n in range(80))
    for part in range(PARTS):
        with open(folder / f"{part:05}.warc.gz", "wb") as file:
            writer = WARCWriter(file, gzip=True)
            for page in range(part, pages, PARTS):
                text = "".join(
                    f"<p>In paragraph {n} of page {page} the council of the town says what the hall costs: {n * page} "
                    f"crowns a day, with a deposit that is returned when the keys are, and nothing for schools.</p>"
                    for n in range(40)
                )
                body = (
                    f"<html lang=en><head><title>Fees {page} - Town</title><script>{'var a=1;' * 200}</script></head>"
                    f"<body><nav><ul>{menu}</ul></nav><article><h1>Fees {page}</h1>{text}</article>"
                    f"<footer>{menu}</footer></body></html>"
                )
                said = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                record = writer.create_warc_record(
                    f"https://town.example/{page}", "response", payload=io.BytesIO(body.encode()), http_headers=said
                )
                writer.write_record(record)


def carried_out(way: str, folder: str, target: str) -> None:
    """One way, in the process that is measured."""
    sys.path.insert(0, str(HERE))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    import engines

    engine, _, kind = way.partition("-")
    source = f"{folder}/{kind}"
    pages = kind in ("pages", "nopages")
    if engine == "process":
        import pyarrow.parquet as pq

        for file in sorted(pathlib.Path(source).iterdir()):
            if pages:
                engines.write_warc(str(file), f"{target}/{file.name}.parquet")
            else:
                pq.write_table(engines.score_table(pq.read_table(file), QUESTION, NOW), f"{target}/{file.name}")
    elif engine == "dask":
        import distributed

        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster):
                if pages:
                    engines.warc_with_dask(source, target)
                else:
                    engines.with_dask(source, target, QUESTION, NOW)
    elif engine == "ray":
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        if pages:
            engines.warc_with_ray(source, f"{target}/out")
        else:
            engines.with_ray(source, f"{target}/out", QUESTION, NOW)
        ray.shutdown()
    elif engine == "spark":
        from pyspark.sql import SparkSession

        os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
        builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        spark = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "65536").getOrCreate()
        if pages:
            engines.warc_with_spark(source, f"{target}/out")
        else:
            engines.with_spark(source, f"{target}/out", QUESTION, NOW)
        spark.stop()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--ways", default="process,dask,ray,spark")
    parser.add_argument("--way")
    parser.add_argument("--folder")
    parser.add_argument("--target")
    given = parser.parse_args()
    if given.way:
        carried_out(given.way, given.folder, given.target)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for kind in ("rows", "none", "pages", "nopages"):
            (folder / kind).mkdir()
        addresses(folder / "rows", given.rows)
        addresses(folder / "none", PARTS)
        archives(folder / "pages", given.pages)
        archives(folder / "nopages", PARTS)
        print("| way | what | seconds | CPU-seconds | rows per CPU-second, all | work |")
        print("| --- | --- | ---: | ---: | ---: | ---: |")
        engines = given.ways.split(",")
        ways = [(f"{engine}-rows", f"{engine}-none", given.rows) for engine in engines]
        ways += [(f"{engine}-pages", f"{engine}-nopages", given.pages) for engine in engines]
        for way, empty, rows in ways:
            spent = []
            for one in (empty, way):
                with tempfile.TemporaryDirectory() as target:
                    spent.append(measured(one, name, target))
            (_, idle), (clock, used) = spent
            rate = f"{rows / used:,.0f} | {rows / max(used - idle, 0.01):,.0f}"
            print(f"| {way.replace('-', ' | ')} | {clock:.1f} | {used:.1f} | {rate} |", flush=True)


if __name__ == "__main__":
    main()
