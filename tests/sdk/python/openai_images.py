"""The official client of format O, pictures that are drawn and changed, over a provider asked in prompts (`prompted`) and
one asked in messages (`painter`). Both tell with each picture what they were given.
"""

import asyncio
import base64
import urllib.request

import openai
from suite import KEY, PICTURE, POOR_KEY, URL, Suite, raised, same

suite = Suite(f"openai {openai.__version__}")
client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0)
PROMPT = "a straße in the 雨: \"wet\"; 🎈"
SIZE = f"of {len(PICTURE)} bytes"


def told(reply):
    same([picture.b64_json for picture in reply.data], ["AAAA"] * len(reply.data))
    return [picture.revised_prompt for picture in reply.data]


def one_file():
    reply = client.images.edit(model="prompted", image=("a.png", PICTURE), prompt=PROMPT)
    same(told(reply), [f"image=a.png {SIZE}; model=up; prompt={PROMPT}"])
    same(reply.created, 7)


def several_files():
    files = [("a.png", PICTURE, "image/png"), ("b.png", PICTURE, "image/png")]
    reply = client.images.edit(model="prompted", image=files, prompt=PROMPT, n=2)
    same(told(reply), [f"image[]=a.png {SIZE}; image[]=b.png {SIZE}; model=up; n=2; prompt={PROMPT}"] * 2)


def mask_and_settings():
    reply = client.images.edit(
        model="prompted", image=("a.png", PICTURE), mask=("m.png", PICTURE), prompt=PROMPT, size="1024x1024", user="u"
    )
    expected = f"image=a.png {SIZE}; mask=m.png {SIZE}; model=up; prompt={PROMPT}; size=1024x1024; user=u"
    same(told(reply), [expected])


def refused_count():
    act = lambda: client.images.edit(model="prompted", image=("a.png", PICTURE), prompt=PROMPT, n=11)
    error = raised(openai.BadRequestError, act)
    same((error.code, error.param), ("bad_field", "n"))


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    act = lambda: poor.images.edit(model="prompted", image=("a.png", PICTURE), prompt=PROMPT)
    error = raised(openai.APIStatusError, act)
    same((error.status_code, error.code), (402, "insufficient_credit"))


def asynchronous():
    async def edit():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0) as client:
            return await client.images.edit(model="prompted", image=[("a.png", PICTURE)], prompt=PROMPT)

    same(told(asyncio.run(edit())), [f"image[]=a.png {SIZE}; model=up; prompt={PROMPT}"])


def prompted_picture():
    reply = client.images.generate(model="prompted", prompt="a cat", n=2, size="1024x1024", quality="high")
    expected = 'model="up"; n=2; prompt="a cat"; quality="high"; size="1024x1024"'
    same(["; ".join(sorted(text.split("; "))) for text in told(reply)], [expected] * 2)


def prompted_address():
    reply = client.images.generate(model="prompted", prompt="a cat", response_format="url")
    same([picture.url for picture in reply.data], ["https://example.com/a.png"])


def refused_setting():
    act = lambda: client.images.generate(model="prompted", prompt="a cat", extra_body={"colour": "red"})
    error = raised(openai.BadRequestError, act)
    assert "colour" in error.message, error.message


START = b"\x89PNG\r\n\x1a\n"


def drawn(reply):
    """What a provider of messages was asked, out of the pictures that the gateway has fetched."""
    pictures = [base64.b64decode(picture.b64_json) for picture in reply.data]
    assert all(picture.startswith(START) for picture in pictures), pictures
    return [picture[len(START) :].decode() for picture in pictures]


def messages_address():
    reply = client.images.generate(model="painter", prompt=PROMPT)
    with urllib.request.urlopen(reply.data[0].url) as picture:
        same(picture.read(), START + f"0 up; {PROMPT}".encode())
    assert reply.created > 1700000000


def messages_picture():
    reply = client.images.generate(model="painter", prompt=PROMPT, n=2, size="1024x768", response_format="b64_json")
    same(drawn(reply), [f"{number} up; {PROMPT}; 1024*768" for number in range(2)])


def messages_files():
    files = [("a.png", PICTURE, "image/png"), PICTURE]
    reply = client.images.edit(model="painter", image=files, prompt=PROMPT, response_format="b64_json")
    same(drawn(reply), [f"0 up; image/png {SIZE}; image/png {SIZE}; {PROMPT}"])


def messages_dropped():
    raw = client.images.with_raw_response.generate(model="painter", prompt="a cat", quality="high", user="u")
    same((raw.headers["x-tollgate-dropped"], len(raw.parse().data)), ("quality, user", 1))


def messages_mask():
    act = lambda: client.images.edit(model="painter", image=PICTURE, mask=PICTURE, prompt=PROMPT)
    same(raised(openai.BadRequestError, act).code, "not_convertible")


def messages_refused():
    act = lambda: client.images.generate(model="painter", prompt="error: DataInspectionFailed")
    error = raised(openai.BadRequestError, act)
    assert "scripted failure DataInspectionFailed" in error.message, error.message


def messages_own_body():
    """The source's body, through the same client."""
    content = [{"image": "https://example.com/a.png"}, {"text": "a hat"}]
    body = {"input": {"messages": [{"role": "user", "content": content}]}, "parameters": {"n": 2, "size": "512*512"}}
    reply = client.post("/images/edits", body={"model": "painter", **body}, cast_to=object)
    same([sorted(picture) for picture in reply["data"]], [["b64_json", "revised_prompt", "url"]] * 2)
    same([picture["b64_json"] for picture in reply["data"]], ["", ""])


for check in [
    one_file, several_files, mask_and_settings, refused_count, out_of_credit, asynchronous, prompted_picture,
    prompted_address, refused_setting, messages_address, messages_picture, messages_files, messages_dropped,
    messages_mask, messages_refused, messages_own_body,
]:  # fmt: skip
    suite.case(check.__name__, check)
suite.end()
