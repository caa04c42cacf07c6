"""Requests, answers and streams. Nothing here knows an operation; what differs between them stands in `Operation`."""

from __future__ import annotations

import asyncio
import http.client
import json
import mimetypes
import os.path
import random
import secrets
import socket
import ssl
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import IO, Any, Generic, TypeAlias, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit

T = TypeVar("T")
Path = tuple[str | int, ...]


@dataclass(frozen=True, kw_only=True)
class CallOptions:
    """What may differ for one call."""

    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further headers."""
    extra_body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further members of the body, which the types do not list."""
    timeout_seconds: float | None = None
    """How long to wait for each part of an answer."""
    max_retries: int | None = None
    on_response: Callable[[ResponseHead], None] | None = None
    """Is told of each answer's head, before its body is read; on an event loop too in the thread that waits for it."""


@dataclass(frozen=True)
class ResponseHead:
    """What comes before the body of an answer."""

    operation: str
    """The operation that was called."""
    status: int
    headers: Mapping[str, str]
    """By their names in small letters."""
    request_id: str | None
    """Id of the request, as on its receipt."""


@dataclass(frozen=True, kw_only=True)
class OnceOptions(CallOptions):
    """The same for a call that the service carries out once for each key."""

    idempotency_key: str | None = None
    """Carries the request out once, however often it is sent; it is then sent again where that can help."""


@dataclass(frozen=True)
class Envelope:
    """Where an error says what."""

    code: Path
    message: Path
    kind: Path
    details: Path
    param: Path
    request_id: Path
    marker: tuple[str, Any] | None
    """What no reply has: a member with a certain value, or, with `dict`, one that is an object."""


@dataclass(frozen=True)
class Operation:
    """What is particular to a call."""

    id: str
    method: str
    path: str
    envelope: Envelope
    error: type[ApiError]
    codes: frozenset[str] | None
    """All codes that it may answer with; `None` where further ones must be expected."""
    idempotent: bool
    once: bool
    """Whether it is carried out once for each idempotency key."""
    fails_with_success: bool
    credential: tuple[str, str] | None
    reply: str
    stream: tuple[bool, tuple[str, ...]] | None
    """Whether events have names, and what ends it: events by their names, or else literal data."""


@dataclass(frozen=True)
class Pages:
    """A page's list, what the next one is asked for by, and whether there is one."""

    items: Path
    next: Path
    more: Path | None


@dataclass(frozen=True)
class Input:
    """What goes into a request."""

    path: Mapping[str, object] = field(default_factory=dict[str, object])
    query: Mapping[str, object] = field(default_factory=dict[str, object])
    headers: Mapping[str, object] = field(default_factory=dict[str, object])
    body: Any = None
    content: tuple[bytes, str] | None = None
    """A body as it is, and its type."""
    streams: bool = False
    """Whether a stream of events is asked for."""


@dataclass(frozen=True)
class Upload:
    """A file in a form."""

    content: bytes | IO[bytes]
    name: str = "file"
    content_type: str | None = None
    """What kind of file it is; where it is not given, the name decides."""


FormFile: TypeAlias = Upload | bytes | IO[bytes]


class ClientError(Exception):
    """A call did not succeed."""


class ConnectionError(ClientError):  # noqa: A001
    """There was no answer, or none to its end."""

    operation: str | None = None
    """The operation that was called."""
    request_id: str | None = None
    """Where the head of an answer had come: name it when asking for help."""


class WholeReplyError(ClientError):
    """It succeeded, and was answered whole, though a stream was asked for. It is not sent again."""

    def __init__(self, operation: str, request_id: str | None, reply: Any) -> None:
        super().__init__(f"{operation} was asked for a stream, and answered whole")
        self.operation = operation
        """The operation that was called."""
        self.request_id = request_id
        """Id of the request, as on its receipt."""
        self.reply: Any = reply
        """What was answered."""

    def __reduce__(self) -> tuple[Any, ...]:
        """All that it was made of, since another process would not get the reply otherwise."""
        return type(self), (self.operation, self.request_id, self.reply), self.__dict__


class ApiError(ClientError):
    """The service refused, or failed."""

    def __init__(self, operation: str, status: int, headers: Mapping[str, str], told: Mapping[str, Any]) -> None:
        super().__init__(told["message"])
        self.operation = operation
        self.status = status
        self.headers = headers
        self._code: str = told["code"]
        self.kind: str = told["kind"]
        self.message: str = told["message"]
        self.details: Mapping[str, Any] = told["details"]
        """The values that the code carries."""
        self.param: str | None = told["param"]
        """The part of the request at fault."""
        self.request_id: str | None = headers.get("{{request_id}}") or told["request_id"]
        """Name it when asking for help."""
        self.should_retry = headers.get("{{should_retry}}") == "true"
        """Whether sending the same again can help."""
        self.retry_after_seconds = _whole(headers.get("retry-after"))
        """After how many seconds it can."""
        self.body: Any = told["body"]
        self._told = told

    def __reduce__(self) -> tuple[Any, ...]:
        """All that it was made of: exceptions by themselves come out of another process with their message alone."""
        return type(self), (self.operation, self.status, self.headers, self._told), self.__dict__

    @property
    def code(self) -> str:
        """What is wrong, in one word of the operation's set; empty where whoever answered told none."""
        return self._code


class _Exchange:
    """One request and its answer, over a connection of its own."""

    def __init__(self, base_url: str, timeout_seconds: float) -> None:
        parts = urlsplit(base_url)
        host, self.prefix = parts.hostname or "", parts.path.rstrip("/")
        self.connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = ssl.create_default_context()
            self.connection = http.client.HTTPSConnection(host, parts.port, timeout=timeout_seconds, context=context)
        else:
            self.connection = http.client.HTTPConnection(host, parts.port, timeout=timeout_seconds)
        self.response: http.client.HTTPResponse | None = None
        self.headers: dict[str, str] = {}
        self.status = 0
        self.stopped = False
        self.lock = threading.Lock()

    def ask(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> None:
        try:
            self._go_on()
            self.connection.connect()
            # From here on there is a socket, by which the request is stopped before all of it has left.
            self._go_on()
            self.response = self._response(method, self.prefix + target, headers, body)
        except ConnectionError:
            self.close()
            raise
        except (OSError, http.client.HTTPException) as cause:
            self.close()
            raise ConnectionError(str(cause) or type(cause).__name__) from cause
        self.status = self.response.status
        self.headers = {name.lower(): value for name, value in self.response.getheaders()}

    def _response(
        self, method: str, target: str, headers: Mapping[str, str], body: bytes | None
    ) -> http.client.HTTPResponse:
        try:
            self.connection.request(method, target, body, dict(headers))
        except (BrokenPipeError, ConnectionResetError, ssl.SSLEOFError) as broken:
            # Whoever refuses a request by its size or its key need not read all of it: the answer came before the end.
            try:
                return self.connection.getresponse()
            except (OSError, http.client.HTTPException):
                raise broken from None
        return self.connection.getresponse()

    def succeeded(self) -> bool:
        return 200 <= self.status < 300

    def elsewhere(self) -> str | None:
        """What an answer says that leads to another address. Nothing is sent there: it would not be the same request."""
        place = self.headers.get("location")
        if place is None or not 300 <= self.status < 400:
            return None
        return f"redirected to {place}, which is not followed"

    def _go_on(self) -> None:
        with self.lock:
            if self.stopped:
                raise ConnectionError("the call was broken off")

    def read(self) -> bytes:
        assert self.response is not None
        try:
            return self.response.read()
        except (OSError, http.client.HTTPException) as cause:
            raise ConnectionError(str(cause) or type(cause).__name__) from cause
        finally:
            self.close()

    def line(self) -> bytes:
        if self.response is None or self.response.isclosed():
            return b""
        try:
            return self.response.readline()
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as cause:
            raise ConnectionError(str(cause) or type(cause).__name__) from cause

    def stop(self) -> None:
        """Wakes whoever waits for this answer in another thread, and keeps a request back that has not left."""
        with self.lock:
            self.stopped = True
        open_socket = getattr(self.connection, "sock", None)
        if open_socket is None and self.response is not None:
            # A response that ends the connection has taken the socket with it.
            open_socket = getattr(getattr(self.response.fp, "raw", None), "_sock", None)
        if isinstance(open_socket, socket.socket):
            try:
                open_socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        if self.response is not None:
            self.response.close()
        self.connection.close()


class _Events(Generic[T]):
    """The events of an answer, read one at a time."""

    def __init__(self, operation: Operation, exchange: _Exchange) -> None:
        self.operation = operation
        self.exchange = exchange
        self.ended = False

    def next(self) -> T | None:
        """The next event; `None` at the end."""
        if self.ended:
            return None
        named, ends_with = self.operation.stream or (False, ())
        try:
            name, data = self._unless_closed()
            if data is None:
                if ends_with and not self.ended:
                    raise ConnectionError(f"the stream of {self.operation.id} broke off before its end")
                self._end()
                return None
            if not named and data in ends_with:
                self._end()
                return None
            event = _parsed(data)
            if event is None:
                raise ConnectionError(f"an event of {self.operation.id} is no JSON: {data}")
            if name == "error" or _is_marked(self.operation.envelope, event):
                raise _failure(self.operation, self.exchange, event, data)
        except ConnectionError as error:
            self._end()
            raise _told(error, self.operation, self.exchange)
        except BaseException:
            self._end()
            raise
        # Some whose type is in the data leave the line for the name out.
        if named and (name or _at(event, ("type",))) in ends_with:
            self._end()
        result: T = event
        return result

    def _unless_closed(self) -> tuple[str, str | None]:
        try:
            name, data = self._block()
        except ConnectionError:
            if not self.ended:
                raise
            return "", None
        return name, data

    def _block(self) -> tuple[str, str | None]:
        name, data = "", list[str]()
        while line := self.exchange.line():
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if text == "":
                if data:
                    return name, "\n".join(data)
                name = ""
                continue
            key, _, value = text.partition(":")
            value = value.removeprefix(" ")
            if key == "event":
                name = value
            elif key == "data":
                data.append(value)
        return name, None

    def close(self) -> None:
        """Ends it, also for another thread that waits for the next event."""
        self.ended = True
        self.exchange.stop()
        self.exchange.close()

    def _end(self) -> None:
        self.ended = True
        self.exchange.close()


_Answer = tuple[_Events[Any] | None, Any]


class EventStream(Generic[T]):
    """An answer as a stream of events; to be read once."""

    def __init__(self, events: _Events[T]) -> None:
        self._events = events
        self.headers: Mapping[str, str] = events.exchange.headers
        self.request_id: str | None = self.headers.get("{{request_id}}")
        """Id of the request, as on its receipt."""

    def __iter__(self) -> Iterator[T]:
        try:
            while (event := self._events.next()) is not None:
                yield event
        finally:
            self.close()

    def __enter__(self) -> EventStream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Reads no further; the service stops working on it."""
        self._events.close()


class AsyncEventStream(Generic[T]):
    """An answer as a stream of events; to be read once."""

    def __init__(self, events: _Events[T], run: Callable[[Callable[[], T | None], Callable[[], None]], Awaitable[T | None]]) -> None:
        self._events = events
        self._run = run
        self.headers: Mapping[str, str] = events.exchange.headers
        self.request_id: str | None = self.headers.get("{{request_id}}")
        """Id of the request, as on its receipt."""

    async def __aiter__(self) -> AsyncIterator[T]:
        try:
            while (event := await self._run(self._events.next, self._events.exchange.stop)) is not None:
                yield event
        finally:
            self.close()

    async def __aenter__(self) -> AsyncEventStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Reads no further; the service stops working on it."""
        self._events.close()


class Transport:
    """Sends requests, and waits for their answers."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        headers: Mapping[str, str] | None,
        max_retries: int,
        timeout_seconds: float,
    ) -> None:
        self.base_url = base_url
        self.api_key = api_key
        self.headers = _lower(headers or {})
        self.max_retries = max_retries
        self.timeout_seconds = timeout_seconds

    def call(self, operation: Operation, given: Input, options: CallOptions | None = None) -> Any:
        """The reply, or a stream of events where that was asked for."""
        options = options or CallOptions()
        tried = 0
        while True:
            try:
                events, reply = self.once(operation, given, options, lambda _: None)
                return EventStream(events) if events is not None else reply
            except ClientError as error:
                wait = self.wait(operation, options, error, tried)
                if wait is None:
                    raise
            time.sleep(wait)
            tried += 1

    def wait(self, operation: Operation, options: CallOptions, error: ClientError, tried: int) -> float | None:
        """Seconds until the request may be sent again; `None` where it may not, or where that cannot help."""
        tries = options.max_retries if options.max_retries is not None else self.max_retries
        if tried >= tries or not (operation.idempotent or _key(operation, options) is not None):
            return None
        if isinstance(error, WholeReplyError):
            return None
        if isinstance(error, ApiError):
            if not error.should_retry:
                return None
            if error.retry_after_seconds is not None:
                return min(error.retry_after_seconds, 60)
        return min(0.5 * float(2**tried), 8.0) * random.uniform(0.75, 1.0)

    def once(
        self, operation: Operation, given: Input, options: CallOptions, begun: Callable[[_Exchange], None]
    ) -> _Answer:
        """Sends the request once: events, or else a reply."""
        headers = {"user-agent": "python-client", "accept": "*/*", **self.headers}
        if operation.credential is not None and self.api_key is not None:
            header, prefix = operation.credential
            headers[header.lower()] = prefix + self.api_key
        headers.update(_lower({name: _text(value) for name, value in given.headers.items() if value is not None}))
        key = _key(operation, options)
        if key is not None:
            headers["idempotency-key"] = key
        headers.update(_lower(options.headers))
        body: bytes | None = None
        if given.content is not None:
            body, headers["content-type"] = given.content
        elif given.body is not None:
            whole = {**given.body, **options.extra_body} if options.extra_body else given.body
            body, headers["content-type"] = json.dumps(whole).encode(), "application/json"
        seconds = options.timeout_seconds if options.timeout_seconds is not None else self.timeout_seconds
        exchange = _Exchange(self.base_url, seconds)
        begun(exchange)
        try:
            exchange.ask(operation.method, _target(operation, given), headers, body)
            if options.on_response is not None:
                told = exchange.headers.get("{{request_id}}")
                options.on_response(ResponseHead(operation.id, exchange.status, exchange.headers, told))
            kind = exchange.headers.get("content-type", "")
            if exchange.succeeded() and operation.stream is not None and kind.startswith("text/event-stream"):
                return _Events[Any](operation, exchange), None
            reply = _reply(operation, exchange)
            if given.streams:
                raise WholeReplyError(operation.id, exchange.headers.get("{{request_id}}"), reply)
            return None, reply
        except ConnectionError as error:
            raise _told(error, operation, exchange)


class _Stop:
    """By which a call that runs in another thread is broken off, wherever it is."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.stopped = False
        self.exchange: _Exchange | None = None

    def begun(self, exchange: _Exchange) -> None:
        with self.lock:
            self.exchange = exchange
            if self.stopped:
                exchange.stop()

    def stop(self) -> None:
        with self.lock:
            self.stopped = True
            if self.exchange is not None:
                self.exchange.stop()


class AsyncTransport:
    """The same for programs on an event loop. Each call under way has a thread that waits for it."""

    def __init__(self, transport: Transport, max_concurrency: int) -> None:
        self.transport = transport
        self.threads = ThreadPoolExecutor(max_concurrency, thread_name_prefix="client")

    async def call(self, operation: Operation, given: Input, options: CallOptions | None = None) -> Any:
        """The reply, or a stream of events where that was asked for."""
        options = options or CallOptions()
        tried = 0
        while True:
            stop = _Stop()

            def act(stop: _Stop = stop, options: CallOptions = options) -> _Answer:
                return self.transport.once(operation, given, options, stop.begun)

            try:
                events, reply = await self.run(act, stop.stop)
                return AsyncEventStream(events, self.run) if events is not None else reply
            except ClientError as error:
                wait = self.transport.wait(operation, options, error, tried)
                if wait is None:
                    raise
            await asyncio.sleep(wait)
            tried += 1

    async def run(self, act: Callable[[], T], stop: Callable[[], None]) -> T:
        """Runs what waits in a thread; a task that is cancelled breaks the wait off."""
        try:
            # What still waits for a thread does not get one any more when it is cancelled.
            return await asyncio.get_running_loop().run_in_executor(self.threads, act)
        except asyncio.CancelledError:
            stop()
            raise


def each(page: Callable[[str | None], Any], pages: Pages) -> Iterator[Any]:
    """The items of all pages, one after the other."""
    by: str | None = None
    while True:
        reply = page(by)
        yield from _at(reply, pages.items) or ()
        after = _after(reply, pages, by)
        if after is None:
            return
        by = after


async def each_async(page: Callable[[str | None], Awaitable[Any]], pages: Pages) -> AsyncIterator[Any]:
    """The items of all pages, one after the other."""
    by: str | None = None
    while True:
        reply = await page(by)
        for item in _at(reply, pages.items) or ():
            yield item
        after = _after(reply, pages, by)
        if after is None:
            return
        by = after


def _after(reply: Any, pages: Pages, by: str | None) -> str | None:
    after = _at(reply, pages.next)
    if not isinstance(after, str) or after in ("", by):
        return None
    if pages.more is not None and _at(reply, pages.more) is not True:
        return None
    return after


def with_member(body: Mapping[str, Any], name: str, value: object) -> dict[str, Any]:
    """A body in which the argument of a call, and not a member, says whether a stream is asked for."""
    if body.get(name) and not value:
        raise TypeError(f"ask for a stream with the argument `{name}=True` of the call")
    return {**body, name: value} if value else {**body}


def form_content(form: Mapping[str, Any], options: CallOptions | None) -> tuple[bytes, str]:
    """A form as it is sent, and its type. Files are read here, so that it can be sent again."""
    boundary, content = f"part-{secrets.token_hex(16)}", list[bytes]()
    for name, value in {**form, **(options.extra_body if options else {})}.items():
        for part in cast(Sequence[Any], value) if isinstance(value, (list, tuple)) else [value]:
            if part is not None:
                content.append(f"--{boundary}\r\n".encode() + _part(name, part) + b"\r\n")
    content.append(f"--{boundary}--\r\n".encode())
    return b"".join(content), f"multipart/form-data; boundary={boundary}"


def _part(name: str, part: Any) -> bytes:
    head = f'Content-Disposition: form-data; name="{_quoted(name)}"'
    if isinstance(part, bytes):
        part = Upload(part)
    elif hasattr(part, "read"):
        part = Upload(part, os.path.basename(str(getattr(part, "name", "file"))))
    if not isinstance(part, Upload):
        text = json.dumps(part) if isinstance(part, dict) else _text(part)
        return f"{head}\r\n\r\n{text}".encode()
    kind = part.content_type or mimetypes.guess_type(part.name)[0] or "application/octet-stream"
    head += f'; filename="{_quoted(part.name)}"\r\nContent-Type: {" ".join(kind.split())}\r\n\r\n'
    return head.encode() + (part.content if isinstance(part.content, bytes) else part.content.read())


def _quoted(name: str) -> str:
    """A name inside its quotes, as browsers write it."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _told(error: ConnectionError, operation: Operation, exchange: _Exchange) -> ConnectionError:
    error.operation, error.request_id = operation.id, exchange.headers.get("{{request_id}}")
    return error


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers by one spelling of their names, so that the later of two takes the place of the earlier."""
    return {name.lower(): value for name, value in headers.items()}


def _key(operation: Operation, options: CallOptions) -> str | None:
    """The idempotency key; elsewhere the service takes no notice of one: what is sent again would be done again."""
    key = options.idempotency_key if isinstance(options, OnceOptions) else None
    if key is not None and not operation.once:
        raise TypeError(f"{operation.id} takes no idempotency key")
    return key


def _reply(operation: Operation, exchange: _Exchange) -> Any:
    content = exchange.read()
    if not exchange.succeeded():
        text = content.decode("utf-8", "replace")
        raise _failure(operation, exchange, _parsed(text), text)
    if operation.reply == "nothing":
        return None
    if operation.reply == "bytes":
        return content
    text = content.decode("utf-8", "replace")
    if operation.reply == "text":
        return text
    body = _parsed(text)
    if body is None:
        raise ConnectionError(f"the answer to {operation.id} is no JSON")
    if operation.fails_with_success and _is_marked(operation.envelope, body):
        raise _failure(operation, exchange, body, text)
    return body


def _failure(operation: Operation, exchange: _Exchange, body: Any, text: str) -> ApiError:
    envelope = operation.envelope

    def word(path: Path, name: str) -> str | None:
        # Some streams tell of a failure in an event that is flat.
        found = _at(body, path) if path else None
        found = found if found is not None else _at(body, (name,))
        return found if isinstance(found, str) else None

    details = _at(body, envelope.details) if envelope.details else None
    told: dict[str, Any] = {
        "code": word(envelope.code, "code") or "",
        "kind": word(envelope.kind, "type") or "",
        "message": word(envelope.message, "message") or exchange.elsewhere() or text or f"HTTP {exchange.status}",
        "details": details or {},
        "param": word(envelope.param, "param") if envelope.param else None,
        "request_id": word(envelope.request_id, "request_id") if envelope.request_id else None,
        "body": body if body is not None else text,
    }
    # Where further codes must be expected, an answer without one is still that of somebody else, as of a proxy.
    declared = told["code"] != "" and (operation.codes is None or told["code"] in operation.codes)
    kind = operation.error if declared else ApiError
    return kind(operation.id, exchange.status, exchange.headers, told)


def _target(operation: Operation, given: Input) -> str:
    target = operation.path
    for name, value in given.path.items():
        text, rest = _text(value), "{*" + name + "}"
        steps = text.split("/") if rest in target else [text]
        if text == "" or "." in steps or ".." in steps:
            # It would lead to another path than this operation's.
            raise ValueError(f"{operation.id}: {text!r} cannot stand in a path")
        target = target.replace("{" + name + "}", quote(text, safe="")).replace(rest, quote(text, safe="/"))
    query = {name: _text(value) for name, value in given.query.items() if value is not None}
    return f"{target}?{urlencode(query)}" if query else target


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_text(item) for item in cast(Sequence[object], value))
    return str(value)


def _is_marked(envelope: Envelope, body: Any) -> bool:
    if envelope.marker is None or not isinstance(body, dict):
        return False
    member, wanted = envelope.marker
    found = _at(body, (member,))
    return isinstance(found, dict) if wanted is dict else bool(found == wanted and found is not None)


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
