"""Bytes of pages and files become text with what they say of themselves."""

import datetime
import pathlib

import probity
import pytest

PAGE = """<!doctype html><html lang="en"><head><title>Noise rules - Port Ellery Gazette</title>
<meta name="author" content="Ada Quill"><meta property="og:site_name" content="Port Ellery Gazette">
<meta property="article:published_time" content="2026-03-01T08:00:00Z"></head><body><article>
<h1>Noise rules</h1><p>The council of Port Ellery has agreed on rules for music at night — after years.</p>
<h2>What is allowed</h2><p>Amplified music outdoors has to end at ten in the evening on weekdays.</p>
<table><tr><th>Day</th><th>Until</th></tr><tr><td>Monday</td><td>22:00</td></tr>
<tr><td>Saturday</td><td>23:00</td></tr></table>
<p>Whoever is louder pays a fee of 200 crowns, and twice as much the second time.</p>
</article></body></html>"""


def test_a_page_is_read_with_its_metadata():
    page = probity.extract(PAGE, "https://gazette.example/noise")
    assert page.title == "Noise rules"
    assert page.author == "Ada Quill"
    assert page.site == "Port Ellery Gazette"
    assert page.published == datetime.date(2026, 3, 1)
    assert page.language == "en"
    assert page.kind == "html"
    assert "200 crowns" in page.text
    assert ["Monday", "22:00"] in page.tables[0]
    assert "What is allowed" in [heading.text for heading in page.headings]


def test_places_are_counted_in_characters():
    page = probity.extract(PAGE)
    for heading in page.headings:
        assert page.text[heading.start :].startswith(heading.text)


def test_a_page_as_a_dictionary_has_everything():
    kept = probity.extract(PAGE).to_dict()
    assert kept["published"] == "2026-03-01"
    assert kept["tables"][0][1] == ["Monday", "22:00"]
    assert {"text", "markdown", "headings", "language", "author"} <= kept.keys()


def test_bytes_in_another_encoding_are_decoded():
    page = '<meta charset="iso-8859-1"><h1>Gebühren</h1><p>Die Gebühr beträgt 900 Kronen am Tag.</p>'
    assert "Gebühr beträgt" in probity.extract(page.encode("latin-1")).text
    # A text is Unicode, whatever the page says of itself.
    assert "Gebühr beträgt" in probity.extract(page).text


def test_a_pdf_is_read_and_what_is_none_is_refused():
    example = pathlib.Path(__file__).parents[3] / "examples" / "library"
    found = sorted(example.rglob("*.pdf"))
    for file in found:
        assert probity.extract_pdf(file.read_bytes()).kind == "pdf"
    with pytest.raises(probity.ProbityError):
        probity.extract_pdf(b"%PDF-1.7 broken")
    with pytest.raises(TypeError, match="bytes"):
        probity.extract_pdf("text")


@pytest.mark.parametrize("body", [b"\x89PNG\r\n\x1a\n" + bytes(64), "<html></html>", b""])
def test_what_holds_no_text_says_so(body):
    with pytest.raises(probity.ProbityError, match="text|PNG|image"):
        probity.extract(body)


def test_deep_nesting_neither_overflows_nor_hangs():
    page = "<div>" * 200_000 + "<p>Deep down there is a sentence that is long enough.</p>"
    try:
        assert "sentence" in probity.extract(page).text
    except probity.ProbityError as error:
        assert error.message
