"""What outlets are worth, how that came about, and the proof of it."""

import os
import sqlite3
import threading

import probity
import pytest


@pytest.fixture
def ledger(tmp_path):
    with probity.Ledger(tmp_path / "ledger.db", create=True) as opened:
        yield opened


def test_a_new_ledger_begins_with_the_seeds(ledger):
    best = ledger.outlets(limit=3)
    assert [one["outlet"] for one in best][0] == "sec.gov"
    assert best[0]["score"] == 0.95
    assert best[0]["band"]
    assert ledger.outlet("https://www.bbc.co.uk/news/1")["outlet"] == "bbc.com"
    assert ledger.outlet("unheard-of.example.com") is None
    assert [one["outlet"] for one in ledger.outlets("reut")] == ["reuters.com"]
    assert all(one["score"] >= 0.9 for one in ledger.outlets(at_least=0.9))


def test_a_coding_moves_a_score_and_leaves_an_event(ledger):
    event = ledger.code("wired.com", ["high-quality-source"], by="Ada", note="a fine series")
    assert event["before"] == 0.72
    assert event["after"] == pytest.approx(0.72 + 0.1 * (1 - 0.72))
    assert ledger.outlet("wired.com")["score"] == event["after"]
    (kept,) = ledger.history("wired.com")
    assert (kept["by"], kept["note"], kept["hash"]) == ("Ada", "a fine series", event["hash"])
    assert ledger.verify()["events"] == 1


def test_a_dry_run_writes_nothing(ledger):
    shown = ledger.code("wired.com", ["source-unreliable"], by="Ada", dry_run=True)
    assert shown["after"] < shown["before"]
    assert ledger.history() == []


def test_a_head_that_was_noted_down_proves_what_came_before(ledger):
    ledger.code("wired.com", ["high-quality-source"], by="Ada")
    head = ledger.verify()["head"]
    ledger.code("wired.com", ["high-quality-source"], by="Bo")
    assert ledger.verify(head)["events"] == 2
    with pytest.raises(probity.ProbityError):
        ledger.verify("1:" + "0" * 64)


def test_a_ledger_that_was_changed_from_outside_is_broken(tmp_path):
    path = tmp_path / "ledger.db"
    with probity.Ledger(path, create=True) as ledger:
        ledger.code("wired.com", ["high-quality-source"], by="Ada")
    with sqlite3.connect(path) as outside:
        outside.execute("UPDATE outlets SET credibility_score = 0.99 WHERE domain = 'wired.com'")
    with probity.Ledger(path) as ledger, pytest.raises(probity.ProbityError, match="broken") as raised:
        ledger.verify()
    assert raised.value.code == 1
    assert "backup" in raised.value.hint


def test_scores_follow_the_ledger(ledger):
    question, url = "How do satellites work?", "https://www.wired.com/story/x"
    before = ledger.scorer().score(url, question)
    ledger.code(url, ["source-unreliable"], by="Ada", alpha=0.5)
    after = ledger.scorer().score(url, question)
    assert after.authority < before.authority


def test_a_run_takes_the_ledger_that_it_is_given(ledger, library):
    question = "What are the most popular first dance songs at Port Ellery weddings?"
    assert probity.research(question, library=library, mode="quick", ledger=ledger).candidates


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda one: one.code("wired.con", ["high-quality-source"], by="Ada"), "wired.com"),
        (lambda one: one.code("wired.com", ["no-such-code"], by="Ada"), "no-such-code"),
        (lambda one: one.code("wired.com", ["high-quality-source"], by=""), "name"),
        (lambda one: one.code("wired.com", ["high-quality-source"], by="A", alpha=2.0), "alpha"),
        (lambda one: one.code("wired.com", "high-quality-source", by="Ada"), "list of texts"),
        (lambda one: one.code(None, ["high-quality-source"], by="Ada"), "target"),
        (lambda one: one.outlet("\ud800"), "surrogates"),
        (lambda one: one.outlets(at_least=float("nan")), "at_least"),
        (lambda one: one.outlets(order="beauty"), "order"),
        (lambda one: one.history(limit=-1), "limit"),
        (lambda one: one.verify("no head"), "head"),
    ],
)
def test_what_cannot_be_done_says_why(ledger, call, said):
    with pytest.raises(probity.UsageError, match=said):
        call(ledger)
    assert ledger.verify()["events"] == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda one: one.outlets(),
        lambda one: one.outlet("wired.com"),
        lambda one: one.history(),
        lambda one: one.verify(),
        lambda one: one.code("wired.com", ["high-quality-source"], by="Ada"),
        lambda one: one.codebook(),
        lambda one: one.scorer(),
        lambda one: probity.research("How do satellites work?", library=".", ledger=one),
    ],
)
def test_a_closed_ledger_says_so(tmp_path, call):
    ledger = probity.Ledger(tmp_path / "ledger.db", create=True)
    ledger.close()
    ledger.close()
    with pytest.raises(probity.UsageError, match="closed"):
        call(ledger)


def test_a_ledger_that_is_not_there_is_made_only_when_asked(tmp_path):
    with pytest.raises(probity.UsageError, match="no ledger") as raised:
        probity.Ledger(tmp_path / "none.db")
    assert "create=True" in raised.value.hint
    other = tmp_path / "text.db"
    other.write_text("this is no database" * 100)
    with pytest.raises(probity.ProbityError):
        probity.Ledger(other)
    with pytest.raises(probity.UsageError):
        probity.Ledger("mysql://nowhere/x")


def test_codings_of_several_at_once_lose_nothing_on_postgresql():
    url = os.environ.get("PROBITY_TEST_POSTGRES")
    if url is None:
        pytest.skip("run it by scripts/with-postgres")
    with probity.Ledger(url) as ledger:
        before = ledger.verify()["events"]

        def code(name):
            with probity.Ledger(url) as mine:
                for _ in range(10):
                    mine.code("wired.com", ["high-quality-source"], by=name)

        editors = [threading.Thread(target=code, args=(name,)) for name in ("Ada", "Bo")]
        [editor.start() for editor in editors]
        [editor.join() for editor in editors]
        assert ledger.verify()["events"] == before + 20
        assert ledger.scorer().score("https://www.wired.com/x", "How do satellites work?").authority > 0.9


def test_a_server_that_is_not_there_is_named_without_its_password():
    with pytest.raises(probity.ProbityError) as raised:
        probity.Ledger("postgres://ada:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(raised.value)
