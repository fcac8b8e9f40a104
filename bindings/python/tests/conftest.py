"""What several tests need: the example library, and a web of our own on loopback."""

from __future__ import annotations

import pathlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

LIBRARY = pathlib.Path(__file__).parents[3] / "examples" / "library"


@pytest.fixture(scope="session")
def library() -> pathlib.Path:
    """The example library: an invented town."""
    return LIBRARY


class Site:
    """Pages on loopback, and who asked for which."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {}
        self.asked: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                page = site.pages.get(self.path)
                body = (page or "not here").encode()
                self.send_response(200 if page else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

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
    made.server.shutdown()
    made.server.server_close()
