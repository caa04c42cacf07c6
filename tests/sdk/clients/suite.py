"""The generated client in use: what a program may write down and have checked, and what then happens."""

import asyncio
import io
import os
import pickle
import re
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager

from tollgate_client import (
    ApiError,
    AsyncTollgate,
    ConnectionError,
    OnceOptions,
    ResponseHead,
    Tollgate,
    Upload,
    WholeReplyError,
    calls,
    types,
)

URL, KEY = os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"]
client = Tollgate(URL, KEY)
body: types.ChatRequest = {"model": "sandbox", "messages": [{"role": "user", "content": "Say hello."}]}


def same(found: object, expected: object) -> None:
    assert found == expected, f"found {found!r}, expected {expected!r}"


BUSY = "HTTP/1.1 503 Busy\r\nx-should-retry: true\r\nretry-after: 0\r\ncontent-length: 2\r\n\r\n{}"


def said_200(text: str, *headers: str) -> str:
    """An answer as it goes over the wire."""
    head = ["HTTP/1.1 200 OK", "content-type: application/json", "connection: close", *headers]
    return "\r\n".join(head) + "\r\n\r\n" + text


class Scripted:
    """A service that gives these answers in turn, and tells what it was asked. One that ends with `…` leaves the
    connection open."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.came = threading.Condition()
        self.open: list[socket.socket] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                taken, _ = self.listener.accept()
            except OSError:
                return
            self.open.append(taken)
            request = self.request(taken)
            if not request:
                continue
            with self.came:
                self.asked.append(request)
                self.came.notify_all()
            answer = self.answers.pop(0) if self.answers else ""
            taken.sendall(answer.removesuffix("…").encode())
            if not answer.endswith("…"):
                self.end(taken)

    @staticmethod
    def request(taken: socket.socket) -> str:
        request = ""
        while True:
            head, mark, body = request.partition("\r\n\r\n")
            length = re.search(r"(?i)content-length: (\d+)", head)
            if mark and len(body) >= int(length[1] if length else 0):
                return request
            part = taken.recv(65536)
            if not part:
                return ""
            request += part.decode()

    @staticmethod
    def end(taken: socket.socket) -> None:
        taken.close()

    def wait(self, count: int) -> None:
        """Until so many requests have come."""
        with self.came:
            assert self.came.wait_for(lambda: len(self.asked) >= count, 20), f"asked {len(self.asked)} times"


class Hasty(Scripted):
    """The same, which answers when it has read a little, and closes."""

    @staticmethod
    def request(taken: socket.socket) -> str:
        return taken.recv(65536).decode()


class Lingering(Hasty):
    """The same, which ends first, and takes a little more before it closes."""

    @staticmethod
    def end(taken: socket.socket) -> None:
        taken.shutdown(socket.SHUT_WR)
        for _ in range(16):
            taken.recv(65536)
        taken.close()


@contextmanager
def scripted(*answers: str, kind: type[Scripted] = Scripted) -> Generator[Scripted]:
    service = kind(*answers)
    thread = threading.Thread(target=service.serve)
    thread.start()
    try:
        yield service
    finally:
        service.listener.shutdown(socket.SHUT_RDWR)
        service.listener.close()
        thread.join()
        for taken in service.open:
            taken.close()


def until_within(function: str) -> None:
    """Until another thread is within a function of that name."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        for thread, frame in sys._current_frames().items():  # pyright: ignore[reportPrivateUsage]
            if thread != threading.get_ident() and frame.f_code.co_name == function:
                return
        time.sleep(0.01)
    raise AssertionError(f"nobody is within {function}")


def said(block: types.ContentBlock) -> str:
    """Checked, not called: kinds are told apart."""
    if types.is_content_block_text(block):
        return block["text"]
    if types.is_content_block_tool_use(block):
        return block["name"]
    return block["type"]


def a_whole_turn() -> None:
    reply: types.ChatCompletion = client.chat.create(body)
    same(reply["object"], "chat.completion")
    assert isinstance(reply["choices"][0]["message"].get("content"), str)


def a_streamed_turn_is_the_whole_one_in_pieces() -> None:
    whole = client.chat.create(body, stream=False)
    with client.chat.create(body, stream=True) as stream:
        assert stream.request_id
        text = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in stream if chunk["choices"])
    same(text, whole["choices"][0]["message"].get("content"))


def a_stream_may_be_left() -> None:
    with client.chat.create(body, stream=True) as stream:
        for chunk in stream:
            same(chunk["object"], "chat.completion.chunk")
            break


def events_with_names() -> None:
    request: types.MessagesRequest = {
        "model": "sandbox",
        "max_tokens": 50,
        "messages": [{"role": "user", "content": "Hi."}],
    }
    kinds = [event["type"] for event in client.messages.create(request, stream=True, a_version="2023-06-01")]
    same([kinds[0], kinds[-1]], ["message_start", "message_stop"])


def a_parameter_that_asks_for_a_stream() -> None:
    request: types.GenerateRequest = {"contents": [{"role": "user", "parts": [{"text": "Hi."}]}]}
    assert list(client.content.stream("sandbox", request, stream=True))
    assert client.content.stream("sandbox", request)


def a_refusal_by_its_type() -> None:
    wrong: types.ChatRequest = {**body, "model": "nothing"}
    for stream in (False, True):
        try:
            client.chat.create(wrong, stream=stream)
        except calls.chat.ChatCreateError as error:
            code: calls.chat.ChatCreateCode = error.code
            same((code, error.status, error.details["model"]), ("model_not_found", 404, "nothing"))
            assert error.request_id
        else:
            raise AssertionError("nothing was raised")


def a_refusal_that_comes_as_a_success() -> None:
    payment: types.X402Payment = {
        "x402Version": 2,
        "accepted": {"scheme": "exact", "network": "eip155:8453", "amount": "1", "payTo": "0x0", "asset": "0x0"},
        "payload": {},
    }
    try:
        client.x402.pay(987654321, payment)
    except calls.x402.X402PayError as error:
        refusal: ApiError = error
        same(refusal.status, 200)
    else:
        raise AssertionError("nothing was raised")


def a_code_of_a_set_that_is_not_closed() -> None:
    with scripted(said_200('{"success": false, "message": "NEW", "code": "NEW", "data": null}')) as service:
        try:
            Tollgate(service.url, "sk-own").x402.create({"amount_usd": 5})
        except calls.x402.X402CreateError as error:
            code: calls.x402.X402CreateCode = error.code
            same(code, "NEW")
        else:
            raise AssertionError("nothing was raised")


def the_form_of_a_reply_is_chosen() -> None:
    assert client.models.list()["data"]
    assert client.models.list_a(a_version="2023-06-01")["data"]
    assert client.models.list_g()["models"]


def a_walk_through_pages() -> None:
    for _ in range(3):
        client.chat.create(body)
    listed = client.receipts.list(limit=100)["data"]["receipts"]
    walked = {receipt["request_id"] for receipt in client.receipts.list_all(limit=2)}
    assert len(walked) >= 3 and {receipt["request_id"] for receipt in listed} <= walked


def once_for_each_key() -> None:
    options = OnceOptions(idempotency_key=f"key-{time.time_ns()}")
    same(client.chat.create(body, options=options)["id"], client.chat.create(body, options=options)["id"])


def what_a_key_does_not_cover_is_not_sent_again() -> None:
    with scripted(BUSY, BUSY, said_200("{}")) as service:
        other = Tollgate(service.url, "sk-own")
        key = OnceOptions(idempotency_key="key-1")
        try:
            other.keys.create({"label": "one"}, options=key)
        except TypeError as error:
            assert "takes no idempotency key" in str(error)
        else:
            raise AssertionError("nothing was raised")
        same(service.asked, [])
        try:
            other.keys.create({"label": "one"})
        except ApiError as error:
            same((error.status, error.should_retry), (503, True))
        else:
            raise AssertionError("nothing was raised")
        same(len(service.asked), 1)
        # Where the service looks at the key, it makes sending again safe.
        other.responses.create({"model": "sandbox", "input": "Hi."}, options=key)
        same([re.findall(r"idempotency-key: (\S+)", request) for request in service.asked[1:]], [["key-1"], ["key-1"]])


def a_redirect_is_not_followed() -> None:
    def moved(status: int) -> str:
        head = [f"HTTP/1.1 {status} Moved", "location: /elsewhere", "content-type: text/html", "content-length: 4"]
        return "\r\n".join(head) + "\r\nconnection: close\r\n\r\n<p/>"

    # One more than is asked for, so that it would be seen if it were.
    with scripted(*(moved(status) for status in (302, 308, 301, 307, 303))) as service:
        other = Tollgate(service.url, "sk-own")
        acts: list[Callable[[], object]] = [
            lambda: other.keys.create({"label": "laptop"}),
            lambda: other.chat.create(body, stream=True),
            lambda: other.videos.download("video_1"),
            lambda: other.service.metrics(),
        ]
        for act, status in zip(acts, (302, 308, 301, 307)):
            try:
                act()
            except ApiError as error:
                told = (status, "", "redirected to /elsewhere, which is not followed")
                same((error.status, error.code, error.message), told)
            else:
                raise AssertionError("nothing was raised")
        same([request.split(" ")[0] for request in service.asked], ["POST", "POST", "GET", "GET"])


def what_tells_no_code_is_no_error_of_the_call() -> None:
    moved = "HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    proxy = "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 4\r\nconnection: close\r\n\r\n<p/>"
    with scripted(moved, proxy) as service:
        for status in (302, 502):
            try:
                # Its set of codes is not closed.
                Tollgate(service.url, "sk-own").x402.create({"amount_usd": 5})
            except ApiError as error:
                same((type(error), error.status, error.code), (ApiError, status, ""))
            else:
                raise AssertionError("nothing was raised")


def an_answer_that_comes_before_all_is_sent() -> None:
    told = (
        '{"error": {"message": "send less", "type": "invalid_request_error", "param": null,'
        ' "code": "body_too_large", "request_id": "req-1", "details": {"limit_bytes": 9}}}'
    )
    head = ["HTTP/1.1 413 Content Too Large", "content-type: application/json", "x-request-id: req-1"]
    head += ["x-should-retry: false", f"content-length: {len(told)}", "connection: close"]
    answer = "\r\n".join(head) + "\r\n\r\n" + told
    # More than lies on the way between two sockets.
    long: types.ChatRequest = {"model": "sandbox", "messages": [{"role": "user", "content": "x" * (32 << 20)}]}
    for kind in (Hasty, Lingering):
        with scripted(answer, kind=kind) as service:
            other = Tollgate(service.url, "sk-own")
            try:
                other.chat.create(long, options=OnceOptions(idempotency_key="key-1"))
            except calls.chat.ChatCreateError as error:
                same((error.status, error.code, error.request_id), (413, "body_too_large", "req-1"))
                same(error.details, {"limit_bytes": 9})
            else:
                raise AssertionError("nothing was raised")
            # It is refused, and not sent again with its key as what was lost.
            same(len(service.asked), 1)
            try:
                other.chat.create(long)
            except ConnectionError as error:
                same((error.operation, error.request_id), ("chat.create", None))
            else:
                raise AssertionError("nothing was raised")


def errors_go_from_process_to_process() -> None:
    errors = list[Exception]()
    with scripted(OPEN_STREAM, said_200('{"id": "whole"}', "x-request-id: req-1")) as service:
        acts: list[Callable[[], object]] = [
            lambda: client.chat.create({**body, "model": "nothing"}),
            lambda: list(Tollgate(service.url, "sk-own").chat.create(body, stream=True)),
            lambda: Tollgate(service.url, "sk-own").chat.create(body, stream=True),
        ]
        for act in acts:
            try:
                act()
            except (ApiError, ConnectionError, WholeReplyError) as error:
                errors.append(error)
    for sent in errors:
        came: Exception = pickle.loads(pickle.dumps(sent))
        same((type(came), str(came), vars(came)), (type(sent), str(sent), vars(sent)))
    refusal, lost, whole = errors
    assert isinstance(refusal, calls.chat.ChatCreateError) and isinstance(lost, ConnectionError)
    same((refusal.code, lost.request_id), ("model_not_found", "req-1"))
    assert isinstance(whole, WholeReplyError)
    same((whole.request_id, whole.reply), ("req-1", {"id": "whole"}))


def a_value_stays_in_its_place_of_the_path() -> None:
    with scripted(said_200("{}")) as service:
        other = Tollgate(service.url + "//", "sk-own")
        for wrong in ("", ".", "..", "a/../b", "a/."):
            try:
                other.models.get(wrong)
            except ValueError as error:
                assert "cannot stand in a path" in str(error)
            else:
                raise AssertionError("nothing was raised")
        other.models.get("a/b..c?d")
        same([request.split(" ")[1] for request in service.asked], ["/v1/models/a/b..c%3Fd"])


def a_header_has_one_value() -> None:
    with scripted(said_200("{}")) as service:
        other = Tollgate(service.url, "sk-own", headers={"User-Agent": "own", "X-Own": "of the client"})
        options = OnceOptions(headers={"AUTHORIZATION": "Bearer other", "x-own": "of the call"})
        other.chat.create(body, options=options)
        found = re.findall(r"(?im)^(user-agent|x-own|authorization): (.*?)\r$", service.asked[0])
        told = sorted((name.lower(), value) for name, value in found)
        same(told, [("authorization", "Bearer other"), ("user-agent", "own"), ("x-own", "of the call")])


CHUNK = '{"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}'
OPEN_STREAM = f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: req-1\r\n\r\ndata: {CHUNK}\n\n"


def a_stream_may_be_closed_by_another_thread() -> None:
    with scripted(f"{OPEN_STREAM}…") as service:
        stream = Tollgate(service.url, "sk-own").chat.create(body, stream=True)
        events = iter(stream)
        same(next(events)["id"], "1")
        rest = list[object]()
        reader = threading.Thread(target=lambda: rest.extend(events))
        reader.start()
        until_within("readinto")
        stream.close()
        reader.join(10)
        same((reader.is_alive(), len(rest)), (False, 0))


def a_stream_may_be_closed_by_another_task() -> None:
    async def act(service: Scripted) -> None:
        stream = await AsyncTollgate(service.url, "sk-own").chat.create(body, stream=True)

        async def read() -> int:
            return len([event async for event in stream])

        reader = asyncio.create_task(read())
        await asyncio.to_thread(until_within, "readinto")
        stream.close()
        same(await asyncio.wait_for(reader, 10), 1)

    with scripted(f"{OPEN_STREAM}…") as service:
        asyncio.run(act(service))


def a_whole_answer_in_the_place_of_a_stream() -> None:
    with scripted(said_200('{"id": "whole"}', "x-request-id: req-1")) as service:
        key = OnceOptions(idempotency_key="key-1")
        try:
            Tollgate(service.url, "sk-own").chat.create(body, stream=True, options=key)
        except WholeReplyError as error:
            same((error.operation, error.request_id, error.reply), ("chat.create", "req-1", {"id": "whole"}))
        else:
            raise AssertionError("nothing was raised")
        same(len(service.asked), 1)


def a_stream_that_breaks_off_names_its_request() -> None:
    with scripted(OPEN_STREAM) as service:
        try:
            list(Tollgate(service.url, "sk-own").chat.create(body, stream=True))
        except ConnectionError as error:
            same((error.operation, error.request_id), ("chat.create", "req-1"))
        else:
            raise AssertionError("nothing was raised")


def event(kind: str) -> str:
    return f'event: {kind}\ndata: {{"type": "{kind}", "sequence_number": 0}}\n\n'


def a_stream_with_named_events_that_breaks_off() -> None:
    head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: req-1\r\n\r\n"
    unnamed = f"{event('response.created')}{event('response.failed')}"
    with scripted(
        head + event("response.created") + event("response.incomplete") + event("never read"),
        head + re.sub("event: .*\n", "", unnamed),
        head + event("response.created") + event("response.output_text.delta"),
        head + event("message_start") + event("content_block_delta"),
    ) as service:
        other = Tollgate(service.url, "sk-own")
        request: types.ResponsesRequest = {"model": "sandbox", "input": "Hi."}
        kinds = [event["type"] for _ in range(2) for event in other.responses.create(request, stream=True)]
        same(kinds, ["response.created", "response.incomplete", "response.created", "response.failed"])
        message: types.MessagesRequest = {
            "model": "sandbox",
            "max_tokens": 5,
            "messages": [{"role": "user", "content": "Hi."}],
        }
        streams: list[Callable[[], Iterable[object]]] = [
            lambda: other.responses.create(request, stream=True),
            lambda: other.messages.create(message, stream=True, a_version="2023-06-01"),
        ]
        for stream in streams:
            events = list[object]()
            try:
                for one in stream():
                    events.append(one)
            except ConnectionError as error:
                same((len(events), error.request_id, "broke off" in str(error)), (2, "req-1", True))
            else:
                raise AssertionError("nothing was raised")


def a_form_with_files() -> None:
    picture = b"\x89PNG\r\n\x00\xff"
    named = Upload(picture, 'a "hat".png')
    form: calls.images.ImagesEditForm = {"model": "sandbox", "prompt": "a hat \U0001f3a9", "image": [picture, named]}
    same(len(client.images.edit_form({**form, "n": 2, "mask": named})["data"]), 2)
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        file.write(picture)
        file.seek(0)
        same(len(client.images.edit_form({**form, "image": file}, options=OnceOptions(extra_body={"user": "me"}))["data"]), 1)
    video: calls.videos.VideosCreateForm = {"model": "sandbox", "prompt": "a cat", "seconds": 4, "input_reference": named}
    job = client.videos.create_form(video)
    same((job["object"], job["seconds"]), ("video", "4"))

    async def act() -> None:
        other = AsyncTollgate(URL, KEY)
        same(len((await other.images.edit_form({**form, "n": 2}))["data"]), 2)

    asyncio.run(act())
    with scripted(BUSY, said_200('{"created": 1, "data": []}')) as service:
        text = io.BytesIO(b"what is in it")
        Tollgate(service.url, "sk-own").images.edit_form(
            {"model": "m", "prompt": "p", "image": Upload(text, 'a "hat".txt'), "n": 2},
            options=OnceOptions(idempotency_key="key-1"),
        )
        same(len(service.asked), 2)
        head, _, content = service.asked[1].partition("\r\n\r\n")
        boundary = re.findall(r"(?i)content-type: multipart/form-data; boundary=(\S+)", head)[0]
        parts = content.split(f"--{boundary}")[1:-1]
        same([re.findall(r'; name="(\w+)"', part)[0] for part in parts], ["model", "prompt", "image", "n"])
        wanted = 'filename="a %22hat%22.txt"\r\nContent-Type: text/plain\r\n\r\nwhat is in it\r\n'
        assert parts[2].endswith(wanted), parts[2]


def headers_can_be_read() -> None:
    heads: list[ResponseHead] = []
    client.chat.create(body, options=OnceOptions(on_response=heads.append))
    (head,) = heads
    same((head.operation, head.status, head.headers["content-type"]), ("chat.create", 200, "application/json"))
    same(head.request_id, head.headers["x-request-id"])


def the_same_on_an_event_loop() -> None:
    async def act() -> None:
        other = AsyncTollgate(URL, KEY)
        whole, text = await other.chat.create(body), ""
        async for chunk in await other.chat.create(body, stream=True):
            text += (chunk["choices"][0]["delta"].get("content") or "") if chunk["choices"] else ""
        same(text, whole["choices"][0]["message"].get("content"))
        same(len([receipt async for receipt in other.receipts.list_all(limit=2)]) >= 2, True)
        try:
            await other.chat.create({**body, "model": "nothing"})
        except calls.chat.ChatCreateError as error:
            same(error.code, "model_not_found")
        else:
            raise AssertionError("nothing was raised")

    asyncio.run(act())


def a_task_that_is_cancelled_sends_nothing() -> None:
    async def act(service: Scripted) -> None:
        other = AsyncTollgate(service.url, "sk-own", max_concurrency=1, max_retries=0)
        first = asyncio.create_task(other.chat.create({**body, "model": "first"}))
        await asyncio.to_thread(service.wait, 1)
        # The only thread is taken: this one is in the queue.
        second = asyncio.create_task(other.chat.create({**body, "model": "second"}))
        await asyncio.sleep(0)
        second.cancel()
        # This one waits for its answer; it waits no longer.
        first.cancel()
        for ended in await asyncio.gather(first, second, return_exceptions=True):
            same(isinstance(ended, asyncio.CancelledError), True)
        await other.chat.create({**body, "model": "third"})
        same([re.findall(r'"model": "(\w+)"', request) for request in service.asked], [["first"], ["third"]])

    with scripted("…", said_200("{}")) as service:
        asyncio.run(act(service))


def a_task_that_is_cancelled_while_it_connects_sends_nothing() -> None:
    # One connection fills the queue of a listener that accepts none: the next one waits for its turn.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = listener.getsockname()
        with socket.create_connection(address):

            async def act() -> None:
                other = AsyncTollgate(f"http://127.0.0.1:{address[1]}", "sk-own", max_concurrency=1)
                waiting = asyncio.create_task(other.chat.create(body))
                await asyncio.to_thread(until_within, "create_connection")
                waiting.cancel()
                (ended,) = await asyncio.gather(waiting, return_exceptions=True)
                same(isinstance(ended, asyncio.CancelledError), True)

            loop = threading.Thread(target=lambda: asyncio.run(act()))
            loop.start()
            loop.join()
            listener.settimeout(20)
            first, _ = listener.accept()
            first.close()
            late, _ = listener.accept()
            with late:
                late.settimeout(20)
                same(late.recv(1), b"")


CASES: list[Callable[[], None]] = [
    a_whole_turn,
    a_streamed_turn_is_the_whole_one_in_pieces,
    a_stream_may_be_left,
    events_with_names,
    a_parameter_that_asks_for_a_stream,
    a_refusal_by_its_type,
    a_refusal_that_comes_as_a_success,
    a_code_of_a_set_that_is_not_closed,
    the_form_of_a_reply_is_chosen,
    a_walk_through_pages,
    once_for_each_key,
    what_a_key_does_not_cover_is_not_sent_again,
    a_redirect_is_not_followed,
    what_tells_no_code_is_no_error_of_the_call,
    an_answer_that_comes_before_all_is_sent,
    errors_go_from_process_to_process,
    a_value_stays_in_its_place_of_the_path,
    a_header_has_one_value,
    a_stream_may_be_closed_by_another_thread,
    a_stream_may_be_closed_by_another_task,
    a_whole_answer_in_the_place_of_a_stream,
    a_stream_that_breaks_off_names_its_request,
    a_stream_with_named_events_that_breaks_off,
    a_form_with_files,
    headers_can_be_read,
    the_same_on_an_event_loop,
    a_task_that_is_cancelled_sends_nothing,
    a_task_that_is_cancelled_while_it_connects_sends_nothing,
]

failed = False
for case in CASES:
    try:
        case()
        print("ok", case.__name__)
    except Exception:
        failed = True
        print("not ok", case.__name__)
        print("  " + traceback.format_exc().replace("\n", "\n  "))
sys.exit(1 if failed else 0)
