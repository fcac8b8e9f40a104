"""Questions become checked reports, whoever searches and whoever judges."""

import asyncio
import json
import signal
import threading

import probity
import pytest

NOISE = "What does Port Ellery's noise ordinance say about amplified outdoor music at night?"
FERRY = "How long does the Lorne ferry take in summer?"


def test_a_folder_answers_a_question(library):
    events = []
    report = probity.research(NOISE, library=library, on_event=events.append)
    assert report.decision == "short_report"
    assert report.answered
    assert report.title in report.markdown
    assert "## Sources" in report.markdown
    assert report.sources and {"n", "url", "title", "credibility"} <= report.sources[0].keys()
    assert all(source["url"] in report.markdown for source in report.sources)
    assert json.loads(report.json)["question"] == NOISE
    assert report.to_dict()["decision"] == "short_report"
    assert events[0]["event"] == "start" and events[-1]["event"] == "end"
    assert {"plan", "search", "fetch", "gate", "report"} <= {event["event"] for event in events}


def test_insufficient_sources_are_a_report_and_no_exception(library):
    question = (
        "How much do flamenco guitarists charge compared with classical guitarists "
        "for private events in Port Ellery?"
    )
    report = probity.research(question, library=library)
    assert report.decision == "insufficient_data"
    assert not report.answered
    assert report.sources == []


def test_a_notebook_shows_the_report_in_a_frame_where_nothing_runs(library):
    report = probity.research(NOISE, library=str(library), mode="quick")
    shown = report._repr_html_()
    assert shown.startswith('<iframe sandbox=""')
    assert shown.count("<") == 2, "the page is the value of an attribute"
    assert report.title in report.html
    passages = [one["passage"] for one in report.statements if one["passage"]]
    assert passages, "the evidence is part of the report"


def test_every_format_is_rendered(library):
    report = probity.research(NOISE, library=library, mode="quick")
    assert report.render("docx")[:2] == b"PK"
    assert report.render("pdf")[:5] == b"%PDF-"
    assert report.render("bibtex").startswith(b"@")
    assert report.render("md").decode() == report.markdown
    with pytest.raises(probity.UsageError, match="no format"):
        report.render("papyrus")


def pages(site):
    """Two pages that answer, and one that no score permits."""
    answers = [
        site.page(
            "/lorne-ferry-summer",
            "How long the Lorne ferry takes in summer",
            "The Lorne ferry takes 40 minutes in summer and an hour in winter.",
            "It leaves the harbour every two hours between May and September.",
        ),
        site.page(
            "/lorne-timetable",
            "Lorne ferry summer timetable: how long it takes",
            "In summer the Lorne ferry takes 40 minutes for the crossing.",
            "Tickets are sold on board. Bicycles travel for free on weekdays.",
        ),
    ]
    blocked = site.page("/cats", "Cute cats", "So cute.")
    return answers, blocked


def results(answers, blocked):
    found = [
        {"href": url, "title": "How long the Lorne ferry takes in summer", "body": "40 minutes, 2026"}
        for url in answers
    ]
    return [*found, {"url": blocked, "title": "Cute cats", "snippet": "So cute"}]


def test_what_a_search_of_ones_own_finds_is_scored_before_it_is_fetched(site):
    answers, blocked = pages(site)
    asked = []

    def search(query, limit):
        asked.append((query, limit))
        return results(answers, blocked)

    report = probity.research(FERRY, search=search, mode="quick", allow_hosts=[site.host])
    assert asked and all(limit > 0 for _, limit in asked)
    assert "40 minutes" in report.markdown
    verdicts = {one["url"]: one["verdict"] for one in report.candidates}
    assert verdicts[blocked] == "blocked"
    assert site.asked_for("/lorne-ferry-summer")
    assert not site.asked_for("/cats"), "a blocked page is never downloaded"
    assert blocked not in [source["url"] for source in report.sources]


def test_pages_that_are_private_stay_closed_unless_they_are_opened(site):
    answers, blocked = pages(site)
    report = probity.research(
        FERRY, search=lambda query, limit: results(answers, blocked), mode="quick"
    )
    assert site.asked == []
    assert report.decision == "insufficient_data"


@pytest.mark.parametrize(
    "search",
    [
        lambda query, limit: 1 / 0,
        lambda query, limit: "a text",
        lambda query, limit: [{"title": "no address"}],
        lambda query, limit: [("no address", None, 3, object())],
        lambda query, limit: None,
        lambda query: [],
    ],
)
def test_a_search_that_fails_or_finds_nothing_ends_in_an_honest_report(search):
    report = probity.research(FERRY, search=search, mode="quick")
    assert report.decision == "insufficient_data"


def test_what_a_search_raised_is_among_the_problems():
    def search(query, limit):
        raise OSError("the index is gone")

    report = probity.research(FERRY, search=search, mode="quick")
    assert any("the index is gone" in problem["detail"] for problem in report.problems)


def scripted(requests):
    """A model that does its tasks by the book, and invents one sentence."""
    said = "The Lorne ferry takes 40 minutes in summer."
    invented = "The Lorne ferry carries 900 elephants a day."
    answers = {
        "plan": {"queries": ["Lorne ferry summer crossing time"]},
        "summarise": {
            "summary": said,
            "facts": [{"statement": said, "quote": "Lorne ferry takes 40 minutes", "figure": "40 minutes"}],
        },
        "gaps": {"unanswered": [], "queries": []},
        "score": {"score": 5, "reason": "It gives the time of the crossing."},
        "synthesise": {
            "headline": "The Lorne ferry takes 40 minutes in summer",
            "summary": [said],
            "findings": [
                {
                    "heading": "The crossing",
                    "statements": [
                        {"form": "sentence", "text": text, "facts": ["F1"], "detail": ""}
                        for text in (said, invented)
                    ],
                }
            ],
            "conflicts": [],
            "confidence": "High",
            "confidence_reason": "Two sources say so.",
        },
    }

    def model(request):
        requests.append(request)
        answer = answers[request["task"]]
        # A text will do as well as a mapping.
        return json.dumps(answer) if request["task"] == "plan" else answer

    return model


def test_a_model_of_ones_own_is_asked_and_what_it_invents_is_caught(site):
    answers, blocked = pages(site)
    requests = []
    report = probity.research(
        FERRY,
        search=lambda query, limit: results(answers, blocked),
        model=scripted(requests),
        model_name="scripted",
        mode="quick",
        allow_hosts=[site.host],
    )
    assert {"plan", "score", "synthesise"} <= {request["task"] for request in requests}
    assert all(request["system"] and request["messages"] for request in requests)
    assert report.to_dict()["author"] == "compatible:scripted"
    marks = {one["text"]: one["marked"] for one in report.statements}
    assert marks == {
        "The Lorne ferry takes 40 minutes in summer.": False,
        "The Lorne ferry carries 900 elephants a day.": True,
    }
    assert not site.asked_for("/cats"), "a model gives no permits"


def test_a_model_that_fails_leaves_the_run_to_its_fallbacks(library):
    def model(request):
        raise ConnectionError("the model is down")

    report = probity.research(NOISE, library=library, model=model, mode="quick")
    assert report.decision in ("full_report", "short_report", "insufficient_data")
    assert any("the model is down" in problem["detail"] for problem in report.problems)


def test_a_limit_on_calls_is_kept(library):
    requests = []

    def model(request):
        requests.append(request)
        return "{}"

    probity.research(NOISE, library=library, model=model, mode="quick", max_calls=2)
    assert len(requests) <= 2


def test_what_an_event_handler_raises_ends_the_run(library):
    def on_event(event):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        probity.research(NOISE, library=library, on_event=on_event)


def test_ctrl_c_ends_a_run(library):
    main = threading.main_thread().ident
    begun = threading.Event()

    def search(query, limit):
        begun.set()
        threading.Event().wait(1.0)
        return []

    def interrupt():
        begun.wait(30)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        probity.research(FERRY, search=search)


def test_the_asynchronous_twin_gives_the_same_report(library):
    now = "2026-03-01T00:00:00Z"
    events = []

    async def ask():
        async def on_event(event):
            events.append(event["event"])

        return await probity.research_async(
            NOISE, library=library, mode="quick", now=now, on_event=on_event
        )

    twin = asyncio.run(ask())
    report = probity.research(NOISE, library=library, mode="quick", now=now)
    assert twin.statements == report.statements
    assert events[-1] == "end"


def test_coroutines_search_on_the_callers_loop(site):
    answers, blocked = pages(site)

    async def ask():
        loop = asyncio.get_running_loop()

        async def search(query, limit):
            assert asyncio.get_running_loop() is loop
            await asyncio.sleep(0)
            return results(answers, blocked)

        return await probity.research_async(
            FERRY, search=search, mode="quick", allow_hosts=[site.host]
        )

    assert "40 minutes" in asyncio.run(ask()).markdown


def test_a_cancelled_task_stops_its_run():
    async def ask():
        started = asyncio.Event()

        async def search(query, limit):
            started.set()
            await asyncio.sleep(30)

        task = asyncio.create_task(probity.research_async(FERRY, search=search))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"library": "/nowhere/at/all"}, "nowhere"),
        ({"library": 3}, "library"),
        ({"search": 3}, "search"),
        ({"search": "nosuchprovider"}, "nosuchprovider"),
        ({"model": "nobody:x"}, "nobody"),
        ({"mode": "endless"}, "mode"),
        ({"on_unverified": "shout"}, "on_unverified"),
        ({"allow_hosts": ["not a host"]}, "allow_hosts"),
        ({"max_cost": float("nan")}, "max_cost"),
        ({"agentic": True}, "agentic"),
        ({"config": {"research": {"modes": {"quick": {"relevance_cutoff": 9}}}}}, "cutoff"),
        ({"config": 3}, "config"),
        ({"now": "never"}, "now"),
    ],
)
def test_what_cannot_be_asked_is_said_before_anything_is_spent(options, said):
    with pytest.raises(probity.UsageError, match=said):
        probity.research(FERRY, **options)


@pytest.mark.parametrize("question", ["", "?", "x" * 3000, "what is the", None, 3, "\ud800"])
def test_what_is_no_question_is_refused(question, library):
    with pytest.raises(probity.UsageError):
        probity.research(question, library=library)
