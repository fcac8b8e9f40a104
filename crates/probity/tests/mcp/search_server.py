"""An MCP server with one search tool that behaves as its first argument says.

    search_server.py good | slow | prose | huge | broken | hostile | dies | dies-once MARKER

It speaks the protocol by hand, so that it can also speak it badly.
"""

import json
import os
import sys

MANNER = sys.argv[1]
HIT = {"url": "https://www.reuters.com/harbour", "title": "Harbour <b>dues</b>", "snippet": "They rise.",
       "published": "2026-03-01"}


def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def results(value):
    return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}


def answer(arguments):
    if MANNER == "dies" or MANNER == "dies-once" and not os.path.exists(sys.argv[2]):
        if MANNER == "dies-once":
            open(sys.argv[2], "w").close()
        sys.exit(3)
    if MANNER == "slow":
        return None
    if MANNER == "prose":
        return {"content": [{"type": "text", "text": "I looked, and there is a lot."}]}
    if MANNER == "huge":
        return results({"results": [dict(HIT, snippet="x" * 8_000_000)]})
    if MANNER == "broken":
        sys.stdout.write('{"jsonrpc": "2.0", "id": 1, "result": {"content": [\n')
        sys.stdout.flush()
        return None
    if MANNER == "hostile":
        bad = ["file:///etc/passwd", "javascript:alert(1)", "https://a@b.example/", "", 7]
        many = [{"url": f"https://a.example/{n}", "title": "\x1b[31mred"} for n in range(500)]
        return results({"results": [{"url": url} for url in bad] + ["no result"] + many})
    named = {"heard": arguments, "secret": os.environ.get("SEARCH_SECRET"), "other": os.environ.get("OTHER")}
    return results({"results": [dict(HIT, snippet=json.dumps(named))]})


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    method, result = message.get("method"), None
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": {"tools": {}},
                  "serverInfo": {"name": "fake", "version": "1"}}
    elif method == "tools/call":
        result = answer(message["params"]["arguments"])
        if result is None:
            continue
    elif method == "ping":
        result = {}
    else:
        say({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "unknown"}})
        continue
    say({"jsonrpc": "2.0", "id": message["id"], "result": result})
