"""What a page is worth before it is fetched."""

import datetime
import math

import probity
import pytest

QUESTION = "How did oil prices move after the OPEC meeting?"
URL = "https://www.reuters.com/markets/oil-rises"


def test_a_score_is_the_sum_of_its_parts():
    scored = probity.score(URL, QUESTION, "Oil prices rise after OPEC meeting", "Prices rose 2026")
    assert scored.outlet == "reuters.com"
    assert scored.authority_source == "ledger"
    total = 0.4 * scored.authority + 0.5 * scored.relevance + scored.recency
    assert math.isclose(scored.score, total, abs_tol=1e-9)
    assert not scored.blocked
    assert float(scored) == scored.score
    assert scored.to_dict()["outlet"] == "reuters.com"
    assert "may be fetched" in repr(scored)


def test_a_page_that_says_nothing_to_the_question_is_blocked_and_says_why():
    scored = probity.score("https://x.com/somebody/status/1", QUESTION, "Cute cats", "So cute")
    assert scored.blocked
    assert scored.tier == "social"
    assert "blocked" in scored.explanation


def test_the_query_that_found_a_page_may_raise_its_relevance():
    alone = probity.score(URL, QUESTION, "Brent crude futures", "")
    found = probity.score(URL, QUESTION, "Brent crude futures", "", queries=["brent crude futures"])
    assert alone.relevance_to_query is None
    assert found.relevance == found.relevance_to_query > alone.relevance


def test_a_date_counts_as_a_sign_of_recency():
    day = datetime.date.today()
    assert probity.score(URL, QUESTION, date=day).recency == pytest.approx(0.1)
    assert probity.score(URL, QUESTION).recency == 0.0


def test_missing_titles_and_snippets_are_empty_ones():
    assert probity.score(URL, QUESTION, None, None) == probity.score(URL, QUESTION)


def test_a_scorer_takes_the_section_of_the_configuration(tmp_path):
    strict = probity.Scorer({"threshold": 0.9})
    assert strict.threshold == 0.9
    assert strict.score(URL, QUESTION, "Oil prices move").blocked
    file = tmp_path / "probity.toml"
    file.write_text("[credibility]\nthreshold = 0.1\n[search]\nproviders = 'auto'\n")
    assert probity.Scorer(file).threshold == 0.1
    assert probity.Scorer(str(file)).threshold == 0.1


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"threshold": 1.5}, "between 0 and 1"),
        ({"treshold": 0.5}, "treshold"),
        ({"threshold": float("nan")}, "`config`"),
        ("/nowhere/probity.toml", "cannot read"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_named(config, said):
    with pytest.raises(probity.UsageError, match=said) as raised:
        probity.Scorer(config)
    assert raised.value.code == 2


def test_the_instant_decides_what_is_recent():
    then = probity.Scorer(now="2023-06-01T00:00:00Z")
    now = datetime.datetime(2031, 6, 1, tzinfo=datetime.timezone.utc)
    later = probity.Scorer(now=now)
    title = "What the 2032 oil outlook says"
    assert then.score(URL, QUESTION, title).recency == 0.0
    assert later.score(URL, QUESTION, title).recency == pytest.approx(0.1)
    with pytest.raises(probity.UsageError, match="now"):
        probity.Scorer(now="the day before yesterday")


def test_an_aggregator_is_unwrapped_to_the_publisher():
    click = "https://www.google.com/url?q=https%3A%2F%2Fwww.nature.com%2Fx&sa=U"
    assert probity.unwrap(click) == "https://www.nature.com/x"
    found = probity.outlet(click)
    assert (found.outlet, found.method, found.resolved) == ("nature.com", "offline", True)
    assert found.authority == pytest.approx(0.8)
    assert found.band


def test_nobody_is_taken_for_whom_its_name_resembles():
    assert probity.outlet("https://reuters.com.evil.io/x").outlet == "evil.io"
