"""The same work over columns of Arrow data, on several cores and in bounded memory."""

import datetime
import signal
import threading

import probity
import pytest

pa = pytest.importorskip("pyarrow")

QUESTION = "How did oil prices move after the OPEC meeting?"
ROWS = {
    "id": [1, 2, 3, 4],
    "url": [
        "https://www.reuters.com/markets/oil",
        "https://x.com/a/status/1",
        "no address",
        None,
    ],
    "title": ["Oil prices rise after OPEC meeting", "Cats", "t", None],
    "snippet": ["2026", None, "s", None],
}


def many(rows):
    hosts = ["reuters.com", "example.org", "x.com", "anu.edu.au", "blog.example.net"]
    urls = [f"https://www.{hosts[n % 5]}/story/{n}" for n in range(rows)]
    titles = [f"Oil prices move {n} after the meeting" if n % 3 else "Cats" for n in range(rows)]
    return pa.table({"url": urls, "title": titles, "n": list(range(rows))})


def test_a_batch_scores_as_single_calls_do():
    batch = pa.record_batch(ROWS)
    scored = pa.record_batch(probity.score_batch(batch, QUESTION, keep=["id"]))
    assert scored.column("id").to_pylist() == [1, 2, 3, 4]
    rows = scored.to_pylist()
    for row, url, title, snippet in zip(rows, ROWS["url"], ROWS["title"], ROWS["snippet"]):
        try:
            one = probity.score(url, QUESTION, title, snippet).to_dict()
        except probity.UsageError:
            assert row["error"] and row["score"] is None
            continue
        assert {key: row[key] for key in one} == one
        assert row["error"] is None


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_keep_their_order_on_any_number_of_threads(threads):
    table = many(10_000)
    scored = pa.table(probity.score_batch(table, QUESTION, keep=["n"], threads=threads))
    assert scored.column("n").to_pylist() == list(range(10_000))
    assert scored.num_rows == 10_000
    # A score follows from host and title alone, which come round every 15 rows.
    scores = scored.column("score").to_pylist()
    assert scores[15:30] == scores[:15]


def test_a_table_of_several_batches_and_a_stream_give_the_same():
    table = many(5_000)
    pieces = pa.Table.from_batches(table.to_batches(max_chunksize=700))
    whole = pa.table(probity.score_batch(table, QUESTION))
    assert pa.table(probity.score_batch(pieces, QUESTION)).to_pylist() == whole.to_pylist()
    reader = pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=700))
    streamed = probity.score_batch(reader, QUESTION, stream=True)
    assert pa.table(streamed).to_pylist() == whole.to_pylist()


def test_a_stream_is_worked_on_as_it_is_read():
    taken = []

    def batches():
        for n in range(1_000):
            taken.append(n)
            yield many(10).to_batches()[0]

    reader = pa.RecordBatchReader.from_batches(many(1).schema, batches())
    stream = pa.RecordBatchReader.from_stream(probity.score_batch(reader, QUESTION, stream=True))
    stream.read_next_batch()
    assert len(taken) < 10, "what is in memory is one batch"


@pytest.mark.parametrize(
    "kind", ["string", "large_string", "string_view", "dictionary<values=string, indices=int32>"]
)
def test_texts_of_every_kind_are_read(kind):
    kinds = {
        "string": pa.string(),
        "large_string": pa.large_string(),
        "string_view": pa.string_view(),
    }
    urls = pa.array(ROWS["url"][:2])
    urls = urls.dictionary_encode() if kind.startswith("dictionary") else urls.cast(kinds[kind])
    table = pa.table({"url": urls})
    scored = pa.table(probity.score_batch(table, QUESTION))
    assert scored.column("outlet").to_pylist() == ["reuters.com", "x.com"]


def test_questions_queries_and_dates_may_be_columns():
    day = datetime.date.today()
    table = pa.table(
        {
            "link": [ROWS["url"][0]] * 3,
            "question": [QUESTION, QUESTION, "?"],
            "query": [None, "brent crude futures", None],
            "title": ["Brent crude futures"] * 3,
            "date": pa.array([day, None, None], pa.date32()),
        }
    )
    rows = pa.table(probity.score_batch(table, columns={"url": "link"})).to_pylist()
    assert rows[0]["recency"] == pytest.approx(0.1)
    assert rows[1]["relevance_to_query"] == 1.0 and rows[1]["recency"] == 0.0
    assert "character" in rows[2]["error"]


def test_a_slice_of_a_batch_is_read_from_where_it_begins():
    batch = pa.record_batch({"url": [f"https://a{n}.example.com/" for n in range(100)]})
    scored = pa.record_batch(probity.score_batch(batch.slice(40, 5), QUESTION))
    assert scored.column("host").to_pylist() == [f"a{n}.example.com" for n in range(40, 45)]


def test_polars_and_duckdb_and_pandas_hand_their_data_over():
    found = 0
    table = many(100)
    expected = pa.table(probity.score_batch(table, QUESTION)).column("score").to_pylist()
    try:
        import polars
    except ImportError:
        pass
    else:
        scored = polars.DataFrame(probity.score_batch(polars.from_arrow(table), QUESTION))
        assert scored["score"].to_list() == expected
        found += 1
    try:
        import duckdb
    except ImportError:
        pass
    else:
        relation = duckdb.sql("SELECT * FROM \"table\"")
        scored = pa.table(probity.score_batch(relation, QUESTION))
        assert scored.column("score").to_pylist() == expected
        found += 1
    try:
        import pandas
    except ImportError:
        pass
    else:
        scored = pa.table(probity.score_batch(table.to_pandas(), QUESTION))
        assert scored.column("score").to_pylist() == expected
        assert pandas.DataFrame(scored.to_pandas())["score"].tolist() == expected
        found += 1
    if not found:
        pytest.skip("neither polars nor duckdb nor pandas is installed")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: probity.score_batch(pa.table({"link": ["x"]}), QUESTION), "no column"),
        (lambda: probity.score_batch(pa.table({"url": ["x"]})), "question"),
        (lambda: probity.score_batch(pa.table({"url": [1]}), QUESTION), "texts"),
        (lambda: probity.score_batch(many(1), QUESTION, columns={"link": "url"}), "link"),
        (lambda: probity.score_batch(many(1), QUESTION, columns={"url": "nope"}), "nope"),
        (lambda: probity.score_batch(many(1), QUESTION, keep=["nope"]), "nope"),
        (lambda: probity.score_batch(many(1), QUESTION, keep=["url"]), "name of a result"),
        (lambda: probity.score_batch(many(1), QUESTION, threads=0), "threads"),
        (lambda: probity.score_batch(many(1), "?"), "character"),
        (lambda: probity.check_batch(pa.table({"claim": ["x"]})), "source"),
        (lambda: probity.extract_batch(pa.table({"html": [1.5]})), "texts"),
        (lambda: probity.cluster_batch(pa.table({"title": ["x"]}), threshold=2.0), "threshold"),
    ],
)
def test_data_that_cannot_be_worked_on_says_why(call, said):
    with pytest.raises(probity.UsageError, match=said):
        call()


@pytest.mark.parametrize("data", [None, 3, "text", [1, 2], {"url": ["x"]}])
def test_what_is_no_arrow_data_is_a_type_error(data):
    with pytest.raises((TypeError, ValueError)):
        probity.score_batch(data, QUESTION)


def test_ctrl_c_ends_a_batch():
    claim = "The ferry takes 40 minutes in summer."
    source = "The crossing of the strait is long, and in winter it is longer. " * 30
    table = pa.table({"claim": [claim] * 20_000, "source": [source] * 20_000})
    main = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        probity.check_batch(table)
    timer.join()


def test_what_fails_in_a_stream_is_said_by_whoever_reads_it():
    def batches():
        yield many(1).to_batches()[0]
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(many(1).schema, batches())
    stream = probity.score_batch(reader, QUESTION, stream=True)
    with pytest.raises(Exception, match="the disk is gone"):
        pa.table(stream)


def test_no_rows_give_no_rows():
    empty = many(0)
    assert pa.table(probity.score_batch(empty, QUESTION)).num_rows == 0
    assert pa.table(probity.cluster_batch(empty)).num_rows == 0


def test_pages_are_read_from_texts_and_bytes():
    page = "<h1>Fees</h1><p>The fee for the great hall is 900 crowns a day.</p>"
    table = pa.table(
        {
            "html": pa.array([page.encode(), b"", None, b"\x89PNG\r\n\x1a\n"], pa.binary()),
            "url": ["https://a.example/fees", None, None, None],
        }
    )
    rows = pa.table(probity.extract_batch(table, markdown=True)).to_pylist()
    assert rows[0]["text"] == probity.extract(page).text
    assert rows[0]["markdown"].startswith("# Fees") or "900 crowns" in rows[0]["markdown"]
    assert all(row["error"] for row in rows[1:])
    texts = pa.table({"html": [page] * 40})
    read = pa.table(probity.extract_batch(texts, threads=2))
    assert read.column("text").to_pylist() == [rows[0]["text"]] * 40


def test_claims_are_checked_in_rows():
    source = "The ferry takes 40 minutes in summer and an hour in winter."
    table = pa.table(
        {
            "claim": ["The ferry takes 40 minutes in summer.", "It takes 90 minutes.", "", None],
            "source": [source, source, source, source],
        }
    )
    rows = pa.table(probity.check_batch(table)).to_pylist()
    assert rows[0]["support"] == "supported"
    assert rows[0]["passage"]
    assert rows[1]["support"] != "supported" and rows[1]["reasons"]
    assert rows[2]["error"] and rows[3]["error"]


def test_headlines_are_grouped_into_stories_whatever_their_order():
    titles = [
        "Ferry sinks off Lorne Islands, 30 missing",
        "Kestrel Air to buy rival Norvia for $3.1 billion",
        "Dozens missing after Lorne Islands ferry sinks",
    ]
    when = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
    table = pa.table({"id": ["a", "b", "c"], "title": titles, "published": [when] * 3})
    rows = pa.table(probity.cluster_batch(table, keep=["id"])).to_pylist()
    assert [row["story"] for row in rows] == [0, 1, 0]
    assert [row["size"] for row in rows] == [2, 1, 2]
    again = pa.table(probity.cluster_batch(table.take([2, 1, 0]), keep=["id"])).to_pylist()
    assert [row["story"] for row in again] == [0, 1, 0]
