"""Calls what it is told to call, line by line, and tells what came of it. What stands here is the same for all calls."""

import asyncio
import json
import sys
from typing import Any

from tollgate_client import (
    ApiError,
    AsyncEventStream,
    AsyncTollgate,
    CallOptions,
    EventStream,
    OnceOptions,
    Tollgate,
    calls,
)

Told = dict[str, Any]
LIMITS: Told = {"max_retries": 0, "timeout_seconds": 30}


def options(ask: Told) -> CallOptions:
    if ask["once"] is None:
        return CallOptions(headers=ask["headers"], **LIMITS)
    return OnceOptions(headers=ask["headers"], idempotency_key=ask["once"], **LIMITS)


def plain(ask: Told, events: list[Any]) -> Any:
    client = Tollgate(ask["url"], ask["key"])
    reply = getattr(getattr(client, ask["group"]), ask["verb"])(*ask["arguments"], **ask["named"], options=options(ask))
    if isinstance(reply, EventStream):
        events.extend(reply)
    return reply


async def on_a_loop(ask: Told, events: list[Any]) -> Any:
    client = AsyncTollgate(ask["url"], ask["key"], max_concurrency=1)
    call = getattr(getattr(client, ask["group"]), ask["verb"])
    reply = await call(*ask["arguments"], **ask["named"], options=options(ask))
    if isinstance(reply, AsyncEventStream):
        async for event in reply:
            events.append(event)
    return reply


def told(ask: Told) -> Told:
    events: list[Any] = []
    try:
        reply = asyncio.run(on_a_loop(ask, events)) if ask["way"] == "AsyncPython" else plain(ask, events)
    except ApiError as error:
        typed = type(error) is getattr(getattr(calls, ask["group"]), ask["error"])
        names = ("code", "kind", "status", "request_id")
        return {"events": events, "error": {"typed": typed, **{name: getattr(error, name) for name in names}}}
    except Exception as error:
        return {"events": events, "lost": repr(error)}
    if isinstance(reply, (EventStream, AsyncEventStream)):
        return {"events": events}
    if isinstance(reply, bytes):
        return {"bytes": reply.hex()}
    return {"nothing": True} if reply is None else {"reply": reply}


for line in sys.stdin:
    print(json.dumps(told(json.loads(line))), flush=True)
