"""A language model on loopback that says what a test told it to, in the form of OpenAI's API."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from loopback import Handler, Server

# What a scripted model answers to a prompt: text, or tools to call as (name, arguments).
Script = Callable[[str], str | list[tuple[str, dict[str, Any]]]]


class ScriptedModel(Server):
    """A server for chat completions and embeddings, and every prompt that reached it."""

    def __init__(self) -> None:
        self.prompts: list[str] = []
        self.script: Script = lambda prompt: "nothing was scripted"
        model = self

        class Api(Handler):
            def do_POST(self) -> None:
                given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if self.path.endswith("/embeddings"):
                    return self.reply(embeddings(given["input"]))
                messages = given["messages"]
                model.prompts.append("\n".join(text(one) for one in messages))
                # What tools gave is the end of a conversation; the script answers to all of it.
                said = model.script(model.prompts[-1])
                self.stream(said) if given.get("stream") else self.reply(completion(said, "message"))

            def reply(self, body: dict[str, Any]) -> None:
                self.send(200, "application/json", json.dumps(body).encode())

            def stream(self, said: Any) -> None:
                events = [completion(said, "delta"), completion("", "delta", reason="stop")]
                lines = [json.dumps(event) for event in events] + ["[DONE]"]
                self.send(200, "text/event-stream", "".join(f"data: {line}\n\n" for line in lines).encode())

        super().__init__(Api)
        self.address = f"http://{self.host}/v1"

    def saw(self, words: str) -> bool:
        """Whether some prompt held these words."""
        return any(words in prompt for prompt in self.prompts)


def text(message: dict[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, list):
        return " ".join(part.get("text", "") for part in content)
    return content


def completion(said: Any, place: str, reason: str | None = None) -> dict[str, Any]:
    """An answer of the API, whole (`message`) or as a piece of a stream (`delta`)."""
    message: dict[str, Any] = {"role": "assistant", "content": said if isinstance(said, str) else None}
    if not isinstance(said, str):
        message["tool_calls"] = [
            {"index": n, "id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for n, (name, given) in enumerate(said)
        ]
        reason = "tool_calls"
    elif place == "message":
        reason = "stop"
    kind = "chat.completion" if place == "message" else "chat.completion.chunk"
    return {
        "id": "scripted",
        "object": kind,
        "created": 0,
        "model": "scripted",
        "choices": [{"index": 0, place: message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def embeddings(given: Any) -> dict[str, Any]:
    """Vectors in which texts with the same words are near each other."""
    data = []
    for index, one in enumerate(given if isinstance(given, list) else [given]):
        vector = [0.01] * 64
        for word in str(one).lower().split():
            vector[zlib.crc32(word.encode()) % 64] += 1.0
        data.append({"object": "embedding", "index": index, "embedding": vector})
    return {"object": "list", "model": "scripted", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.fixture
def model():
    made = ScriptedModel()
    yield made
    made.close()
