"""The official client of format O, videos, over a provider of each kind: `film-o` of format O, `film-a` of the second family."""

import asyncio
import warnings

import openai
from suite import KEY, PICTURE, POOR_KEY, URL, Suite, raised, same

# Clients of today announce that their own provider will leave these.
warnings.simplefilter("ignore", DeprecationWarning)
suite = Suite(f"openai {openai.__version__}")
client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0)
videos = client.videos

# Lengths that each model films, in seconds.
SECONDS = {"film-o": "8", "film-a": "10"}
FILM = b"a film of twenty-eight bytes"
PROMPT = "a straße in the 雨: \"wet\"; 🎈"
PNG = ("a.png", PICTURE, "image/png")


def film(model, prompt=PROMPT, **more):
    return videos.create(model=model, prompt=prompt, seconds=SECONDS[model], **more)


def made(model, **more):
    video = videos.create_and_poll(model=model, prompt=PROMPT, seconds=SECONDS[model], poll_interval_ms=20, **more)
    same((video.status, video.progress, video.error), ("completed", 100, None))
    return video


def ordered(model):
    video = film(model, size="1280x720")
    same((video.object, video.status, video.progress, video.model), ("video", "queued", 0, model))
    same((video.seconds, video.size, video.prompt), (SECONDS[model], "1280x720", PROMPT))
    same((video.error, video.completed_at, video.created_at > 1700000000), (None, None, True))


def begun_with_a_picture(model):
    for picture in [PNG, PICTURE]:
        made(model, input_reference=picture)


def polled(model):
    video = film(model)
    done = videos.poll(video.id, poll_interval_ms=20)
    same((done.id, done.status, done.created_at, done.seconds), (video.id, "completed", video.created_at, SECONDS[model]))
    assert done.completed_at >= done.created_at
    same(videos.retrieve(video.id), done)


def failed(model):
    video = videos.create_and_poll(model=model, prompt="unlucky", seconds=SECONDS[model], poll_interval_ms=20)
    same((video.status, video.error.message, video.completed_at), ("failed", "it was not made", None))
    raised(openai.ConflictError, lambda: videos.download_content(video.id))
    same(videos.delete(video.id).deleted, True)


def listed(model):
    """Other cases order at the same time: those of this one stand in their order among them."""
    own = [film(model).id for _ in range(3)]
    find = lambda pages: [video.id for video in pages if video.id in own]
    same(find(videos.list(limit=2)), own[::-1])
    same(find(videos.list(limit=2, order="asc")), own)
    page = videos.list(limit=1, after=own[1])
    same((len(page.data), page.has_next_page()), (1, page.has_more))
    after = [video.id for video in videos.list(limit=100, order="asc", after=own[0])]
    same([id for id in after if id in own], own[1:])
    # What ends a page may be gone when the next one is asked for.
    for video in videos.list(limit=1):
        if video.id in own:
            videos.poll(video.id, poll_interval_ms=20)
            videos.delete(video.id)
            own.remove(video.id)
    same(own, [])


def downloaded(model):
    video = made(model)
    content = videos.download_content(video.id)
    same((content.read(), content.response.headers["content-type"]), (FILM, "video/mp4"))
    same(videos.download_content(video.id, variant="video").content, FILM)
    with videos.with_streaming_response.download_content(video.id) as streamed:
        same(b"".join(streamed.iter_bytes()), FILM)
    part = videos.download_content(video.id, extra_headers={"range": "bytes=2-5"})
    same((part.response.status_code, part.content), (206, FILM[2:6]))


def other_variants(model):
    """A provider of the second family makes the video alone, and another file must not pass for a picture of it."""
    video = made(model)
    for variant in ["thumbnail", "spritesheet"]:
        act = lambda: videos.download_content(video.id, variant=variant)
        if model == "film-o":
            same(act().content, f"{variant} of {FILM.decode()}".encode())
        else:
            error = raised(openai.BadRequestError, act)
            assert variant in error.message, error.message
    same(raised(openai.BadRequestError, lambda: videos.download_content(video.id, variant="sound")).code, "bad_parameter")


def deleted(model):
    video = made(model)
    gone = videos.delete(video.id)
    same((gone.id, gone.object, gone.deleted), (video.id, "video.deleted", True))
    for act in [videos.retrieve, videos.download_content, videos.delete]:
        same(raised(openai.NotFoundError, lambda: act(video.id)).code, "video_not_found")
    assert video.id not in [other.id for other in videos.list(limit=100)]


def unfinished(model):
    video = film(model, "endless")
    for act in [videos.download_content, videos.delete]:
        same(raised(openai.ConflictError, lambda: act(video.id)).code, "video_not_ready")
    assert videos.retrieve(video.id).status in ("queued", "in_progress")


def bad_length(model):
    for seconds in ["7", "x"]:
        act = lambda: videos.create(model=model, prompt=PROMPT, seconds=seconds)
        error = raised(openai.BadRequestError, act)
        same((error.code, error.param), ("bad_field", "seconds"))


def refused(model):
    error = raised(openai.BadRequestError, lambda: film(model, "forbidden"))
    same(error.code, "upstream_refused")
    assert "this is not filmed here" in error.message, error.message


def asynchronous(model):
    async def run():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0) as other:
            asked = dict(model=model, seconds=SECONDS[model], input_reference=PNG, poll_interval_ms=20)
            one = lambda number: other.videos.create_and_poll(prompt=f"number {number}", **asked)
            found = await asyncio.gather(*(one(number) for number in range(3)))
            same([video.prompt for video in found], [f"number {number}" for number in range(3)])
            for video in found:
                same((await other.videos.download_content(video.id)).content, FILM)
            listed = [video.id async for video in other.videos.list(limit=2)]
            assert all(video.id in listed for video in found), listed
            same((await other.videos.delete(found[0].id)).deleted, True)
            try:
                await other.videos.retrieve(found[0].id)
            except openai.NotFoundError:
                return
            raise AssertionError("a deleted video was found")

    asyncio.run(run())


def service_s_choice():
    video = videos.create(prompt=PROMPT)
    same((video.model, video.seconds, video.size), ("film-o", "4", None))


def unknown_video():
    for act in [videos.retrieve, videos.download_content, videos.delete]:
        same(raised(openai.NotFoundError, lambda: act("video_x")).code, "video_not_found")
    raised(openai.NotFoundError, lambda: videos.list(after="video_x"))


def unknown_model():
    act = lambda: videos.create(model="nothing", prompt=PROMPT)
    same(raised(openai.NotFoundError, act).code, "model_not_found")


def wrong_key():
    wrong = client.with_options(api_key="sk-wrong")
    raised(openai.AuthenticationError, lambda: wrong.videos.create(model="film-o", prompt=PROMPT))


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    error = raised(openai.APIStatusError, lambda: poor.videos.create(model="film-o", prompt=PROMPT))
    same((error.status_code, error.code), (402, "insufficient_credit"))


for check in [
    ordered, begun_with_a_picture, polled, failed, listed, downloaded, other_variants, deleted, unfinished, bad_length,
    refused, asynchronous,
]:  # fmt: skip
    for model in SECONDS:
        suite.case(f"{check.__name__}, {model}", check, model)
for check in [service_s_choice, unknown_video, unknown_model, wrong_key, out_of_credit]:
    suite.case(check.__name__, check)
suite.end()
