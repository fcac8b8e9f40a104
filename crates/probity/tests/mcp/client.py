"""Speaks to Probity with the official MCP SDK, and writes what came of it to stdout as JSON.

    client.py MODE SCENARIO TARGET [ARGUMENT]...

MODE is `legacy` (the initialize handshake) or a protocol version without one, such as 2026-07-28. The
target is an address, or a command with its arguments. A token comes from MCP_TOKEN.
"""

import json
import os
import sys

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

SONGS = "What are the most popular first dance songs at Port Ellery weddings?"
POLLS = 1200


def connect(mode, target, token=None):
    if target[0].startswith("http"):
        token = token or os.environ.get("MCP_TOKEN")
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        http = httpx2.AsyncClient(headers=headers, timeout=120)
        return Client(streamable_http_client(target[0], http_client=http), mode=mode)
    server = StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))
    return Client(server, mode=mode)


def plain(value):
    return value.model_dump(mode="json", by_alias=True, exclude_none=True)


async def call(client, tool, **arguments):
    return plain(await client.call_tool(tool, arguments))


async def refused(coroutine):
    try:
        return {"refused": False, "value": plain(await coroutine)}
    except Exception as error:  # what the SDK raises differs between versions
        return {"refused": True, "why": str(error)}


async def story(mode, target):
    async with connect(mode, target) as client:
        said = []

        async def progress(done, total, message):
            said.append({"progress": done, "message": message})

        told = {"version": client.session.protocol_version}
        told["tools"] = [plain(tool) for tool in (await client.list_tools()).tools]
        told["templates"] = plain(await client.list_resource_templates())
        told["prompts"] = plain(await client.list_prompts())
        told["prompt"] = plain(await client.get_prompt("fact-check-this-text", {"text": "Water is wet."}))
        asked = {"question": SONGS, "search": "library"}
        told["research"] = plain(await client.call_tool("research", asked, progress_callback=progress))
        told["progress"] = said
        run = told["research"]["structuredContent"]["run_id"]
        told["report"] = await call(client, "get_report", run_id=run)
        told["everything"] = await call(client, "get_report", run_id=run, format="json")
        told["runs"] = await call(client, "list_runs")
        told["score"] = await call(client, "score_source", url="https://www.reuters.com/x", question=SONGS)
        told["outlet"] = await call(client, "resolve_outlet", url="https://www.bbc.co.uk/news/1")
        told["history"] = await call(client, "outlet_history", outlet="reuters.com")
        told["library"] = await call(client, "search_library", query="noise at night", limit=3)
        told["topics"] = await call(client, "news_topics", since="7d", limit=3)
        told["citation"] = await call(
            client, "check_citation", claim="The ferry takes 40 minutes.",
            source="The crossing is short. The ferry takes 25 minutes to the island.")
        told["relevance"] = await call(
            client, "judge_relevance", question="How long does the ferry take?",
            text="The ferry takes 25 minutes to the island.")
        told["check"] = await call(
            client, "fact_check", search="library",
            text="Amplified music outdoors must end at 10 pm in Port Ellery.")
        told["resources"] = plain(await client.list_resources())
        for name in [f"reports/{run}", f"runs/{run}", "outlets/reuters.com", "audit"]:
            read = plain(await client.read_resource(f"probity://{name}"))
            told["read " + name.split("/")[0]] = read["contents"][0]["text"]
        told["refused"] = {
            "no_tool": await refused(client.call_tool("rm", {})),
            "coding": await refused(client.call_tool("code_source", {"outlet": "reuters.com", "codes": ["x"]})),
            "no_resource": await refused(client.read_resource("probity://runs/none")),
            "a_file": await refused(client.read_resource("file:///etc/passwd")),
        }
        told["errors"] = {
            "no_run": await call(client, "get_report", run_id="none"),
            "no_question": await call(client, "research", question="?"),
            "private": await call(client, "score_source", url="http://127.0.0.1:1/", question=SONGS),
            "more": await call(client, "list_runs", path="/etc/passwd"),
            "provider": await call(client, "research", question=SONGS, search="nowhere"),
            "limit": await call(client, "list_runs", limit=1000),
            "category": await call(client, "news_topics", category="nowhere"),
        }
        return told


async def ended(client, run):
    """The run, once nobody works on it."""
    for _ in range(POLLS):
        runs = (await call(client, "list_runs"))["structuredContent"]["runs"]
        found = [one for one in runs if one["id"] == run]
        if found and found[0]["status"] != "running":
            return found[0]
        await anyio.sleep(0.05)
    raise SystemExit(f"run {run} goes on")


async def hang(client, began, scope):
    """Asks what nobody answers, until the scope is cancelled."""
    run = {}

    async def progress(done, total, message):
        words = (message or "").split()
        if words[:1] == ["Run"]:
            run["id"] = words[1]
        if words[:1] == ["Planned"]:
            began.set()

    asked = {"question": SONGS, "search": "searxng"}
    with scope:
        # Another call of the same client may be in progress just now, and this one refused for it; or a run ends before
        # its time on a busy machine.
        while True:
            await client.call_tool("research", asked, progress_callback=progress)
            await anyio.sleep(0.05)
    return run.get("id")


async def cancel(mode, target):
    async with connect(mode, target) as client:
        began, scope, run = anyio.Event(), anyio.CancelScope(), {}

        async def ask():
            run["id"] = await hang(client, began, scope)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await began.wait()
            scope.cancel()
        return await ended(client, run["id"])


async def crowd(mode, target):
    """One client that waits for much, and another that wants little."""
    first, second = os.environ["MCP_TOKEN"], os.environ["MCP_TOKEN_2"]
    async with connect(mode, target, first) as busy, connect(mode, target, second) as other:
        async with anyio.create_task_group() as tasks:
            scopes = []
            for _ in range(8):
                began, scope = anyio.Event(), anyio.CancelScope()
                scopes.append(scope)
                tasks.start_soon(hang, busy, began, scope)
                # The first waits for its search; the rest may wait in the queue.
                if len(scopes) == 1:
                    await began.wait()
            for _ in range(POLLS):
                ninth = await call(busy, "list_runs")
                if ninth.get("isError"):
                    break
                await anyio.sleep(0.05)
            told = {"ninth": ninth, "other": await call(other, "outlet_history", outlet="reuters.com")}
            told["forbidden"] = await call(other, "research", question=SONGS)
            for scope in scopes:
                scope.cancel()
        return told


async def leave(mode, target):
    """Goes away in the middle of a call."""
    run = {}
    async with connect(mode, target) as client:
        began, scope = anyio.Event(), anyio.CancelScope()
        async with anyio.create_task_group() as tasks:
            async def ask():
                run["id"] = await hang(client, began, anyio.CancelScope())

            tasks.start_soon(ask)
            await began.wait()
            tasks.cancel_scope.cancel()
    return {}


if __name__ == "__main__":
    mode, scenario, *target = sys.argv[1:]
    json.dump(anyio.run(globals()[scenario], mode, target), sys.stdout)
