"""The reader reads, and the check of citations follows from it."""

import probity
import pytest

FERRY = "The ferry takes 40 minutes in summer and an hour in winter. Tickets cost 12 crowns — each."
OTHER = "The museum of the harbour was founded by a whaler."


def test_the_passage_that_answers_is_told_from_the_one_that_does_not():
    reader = probity.Reader()
    one, other = reader.answers("How long does the ferry take in summer?", [FERRY, OTHER])
    assert one.answerable > 0.5 > other.answerable
    assert "40 minutes" in one.span
    assert FERRY[one.start : one.end] == one.span
    assert one.sentence.startswith("The ferry takes")


def test_places_of_spans_are_counted_in_characters():
    passage = "Überall gilt: die Fähre fährt täglich. — The ferry takes 40 minutes in summer."
    (answer,) = probity.Reader().answers("How long does the ferry take?", [passage])
    assert passage[answer.start : answer.end] == answer.span


def test_a_claim_is_supported_or_contradicted():
    reader = probity.Reader()
    (supported,) = reader.entails("The ferry takes 40 minutes in summer.", [FERRY])
    (contradicted,) = reader.entails("The ferry takes three hours in summer.", [FERRY])
    assert supported.supported > 0.5
    assert contradicted.supported < supported.supported


def test_a_citation_is_checked_with_its_passage():
    good = probity.check_citation("The ferry takes 40 minutes in summer.", FERRY)
    assert good.supported and good.support == "supported"
    assert FERRY[good.start : good.end] == good.passage
    bad = probity.check_citation("The ferry takes 90 minutes in summer.", FERRY)
    assert not bad.supported
    assert bad.reasons


def test_a_text_is_judged_from_one_to_five():
    question = "How long does the ferry take in summer?"
    assert probity.relevance(question, FERRY).score >= 4
    judged = probity.relevance(question, OTHER)
    assert judged.score <= 2
    assert judged.why


def test_words_alone_do_without_the_weights():
    reader = probity.Reader("none")
    assert reader.name == "words"
    assert reader.answers("When does the ferry run?", []) == []
    assert probity.check_citation("The ferry takes 40 minutes in summer.", FERRY, reader=reader)


def test_weights_that_are_none_are_refused(tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(b"nothing")
    with pytest.raises(probity.UsageError, match="weights"):
        probity.Reader(str(file))
    with pytest.raises(probity.UsageError, match="at least 1"):
        probity.Reader(threads=0)
