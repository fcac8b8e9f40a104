"""What several tests need: the example library, and a web of our own on loopback."""

from __future__ import annotations

import pathlib
import signal

import pytest
from loopback import Handler, Server

# Whatever starts the tests in the background may have switched Ctrl-C off, which some of them press.
signal.signal(signal.SIGINT, signal.default_int_handler)

LIBRARY = pathlib.Path(__file__).parents[3] / "examples" / "library"


@pytest.fixture(scope="session")
def library() -> pathlib.Path:
    """The example library: an invented town."""
    return LIBRARY


class Site(Server):
    """Pages on loopback, and who asked for which."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        site = self

        class Pages(Handler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                page = site.pages.get(self.path)
                body = (page or "not here").encode()
                self.send(200 if page else 404, "text/html; charset=utf-8", body)

        super().__init__(Pages)

    def page(self, path: str, title: str, *paragraphs: str) -> str:
        """Adds a page and gives its address."""
        body = "".join(f"<p>{text}</p>" for text in paragraphs)
        self.pages[path] = (
            f"<html><head><title>{title}</title></head>"
            f"<body><article><h1>{title}</h1>{body}</article></body></html>"
        )
        return f"http://{self.host}{path}"

    def asked_for(self, path: str) -> bool:
        return path in self.asked


@pytest.fixture
def site():
    made = Site()
    yield made
    made.close()
