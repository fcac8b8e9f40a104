"""Whatever is handed over, a call ends in a result or in an exception with a sentence."""

import pickle
import signal
import threading
import time

import probity
import pytest

QUESTION = "How loud may music be at night?"
URL = "https://www.example.org/noise"
ODD = [None, float("nan"), 3, b"bytes", [], {}, object(), "\ud800", "x\udfffy", "", "\0"]


def calls():
    reader = probity.Reader("none")
    scorer = probity.Scorer()
    return {
        "score url": lambda odd: probity.score(odd, QUESTION),
        "score question": lambda odd: probity.score(URL, odd),
        "score title": lambda odd: probity.score(URL, QUESTION, odd),
        "score snippet": lambda odd: probity.score(URL, QUESTION, "", odd),
        "score date": lambda odd: probity.score(URL, QUESTION, date=odd),
        "score queries": lambda odd: probity.score(URL, QUESTION, queries=odd),
        "score queries of odd": lambda odd: probity.score(URL, QUESTION, queries=[odd]),
        "scorer": lambda odd: scorer.score(odd, QUESTION),
        "config": probity.Scorer,
        "now": lambda odd: probity.Scorer(now=odd),
        "outlet": probity.outlet,
        "unwrap": probity.unwrap,
        "extract": probity.extract,
        "extract url": lambda odd: probity.extract("<p>Some text that is long enough.</p>", odd),
        "extract pdf": probity.extract_pdf,
        "extract seconds": lambda odd: probity.extract("<p>Text.</p>", seconds=odd),
        "answers question": lambda odd: reader.answers(odd, ["A passage."]),
        "answers passages": lambda odd: reader.answers(QUESTION, odd),
        "answers passage": lambda odd: reader.answers(QUESTION, [odd]),
        "entails claim": lambda odd: reader.entails(odd, ["A passage."]),
        "entails passage": lambda odd: reader.entails("A claim.", [odd]),
        "reader": probity.Reader,
        "claim": lambda odd: probity.check_citation(odd, "A source.", reader=reader),
        "source": lambda odd: probity.check_citation("A claim.", odd, reader=reader),
        "relevance question": lambda odd: probity.relevance(odd, "A text.", reader=reader),
        "relevance text": lambda odd: probity.relevance(QUESTION, odd, reader=reader),
    }


@pytest.mark.parametrize("name", list(calls()))
@pytest.mark.parametrize("odd", ODD, ids=[repr(odd)[:12] for odd in ODD])
def test_odd_values_give_a_result_or_a_sentence(name, odd):
    try:
        calls()[name](odd)
    except probity.ProbityError as error:
        assert error.code in (1, 2)
        assert len(error.message) > 10
    except (TypeError, ValueError) as error:
        # What Python itself checks before a call begins: dates, numbers, names of models.
        assert len(str(error)) > 10


@pytest.mark.parametrize(
    "call",
    [
        lambda: probity.score(None, QUESTION),
        lambda: probity.score(URL, 3.5),
        lambda: probity.extract(None),
        lambda: probity.check_citation("A claim.", b"bytes"),
    ],
)
def test_a_wrong_type_is_a_type_error_that_names_the_argument(call):
    with pytest.raises(TypeError, match="`(url|question|html|source)` has to be") as raised:
        call()
    assert isinstance(raised.value, probity.UsageError)


def test_surrogates_are_named_with_a_way_out():
    with pytest.raises(probity.UsageError, match="surrogates") as raised:
        probity.score(URL, QUESTION, "\ud800")
    assert "encode" in raised.value.hint
    mended = "\ud800".encode("utf-8", "replace").decode()
    assert probity.score(URL, QUESTION, mended)


@pytest.mark.parametrize(
    "call",
    [
        lambda huge: probity.score("https://a.example/" + huge, QUESTION),
        lambda huge: probity.score(URL, huge),
        lambda huge: probity.score(URL, QUESTION, huge),
        lambda huge: probity.extract(huge),
        lambda huge: probity.check_citation(huge, "A source."),
        lambda huge: probity.check_citation("A claim.", huge),
        lambda huge: probity.relevance(QUESTION, huge),
        lambda huge: probity.Reader("none").answers(QUESTION, [huge]),
    ],
)
def test_huge_texts_are_refused_with_their_limit(call):
    with pytest.raises(probity.UsageError, match=r"\d"):
        call("x" * (32 * 1024 * 1024))


def test_more_passages_than_a_call_takes_are_refused_before_they_are_kept():
    with pytest.raises(probity.UsageError, match="more than"):
        probity.Reader("none").answers(QUESTION, ("p" for _ in range(10**9)))


def test_an_iterator_that_fails_says_so():
    def broken():
        yield "A passage."
        raise OSError("the disk is gone")

    with pytest.raises(probity.ProbityError, match="the disk is gone"):
        probity.Reader("none").answers(QUESTION, broken())


def test_exceptions_survive_the_way_between_processes():
    with pytest.raises(probity.UsageError) as raised:
        probity.score("no address", QUESTION)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again), again.hint) == (
        type(raised.value),
        str(raised.value),
        raised.value.hint,
    )


def test_ctrl_c_ends_a_call_that_works():
    reader = probity.Reader()
    passages = ["The ordinance allows music until ten at night. " * 20] * 20_000
    main = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        reader.answers(QUESTION, passages)
    timer.join()
    # The engine works on as if nothing had been.
    assert len(reader.answers(QUESTION, passages[:1])) == 1


def test_other_threads_run_while_a_call_works():
    reader = probity.Reader()
    text = "The ordinance allows music until ten at night. " * 20
    reader.answers(QUESTION, [text])
    turns = 0
    done = threading.Event()

    def count():
        nonlocal turns
        while not done.is_set():
            turns += 1
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    before = turns
    reader.answers(QUESTION, [text] * 20)
    after = turns
    done.set()
    other.join()
    assert after - before > 10
