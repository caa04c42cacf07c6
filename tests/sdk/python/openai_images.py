"""The official client of format O, pictures that are changed, over a provider that tells what it was given."""

import asyncio

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
    reply = client.images.edit(model="painter", image=("a.png", PICTURE), prompt=PROMPT)
    same(told(reply), [f"image=a.png {SIZE}; model=up; prompt={PROMPT}"])
    same(reply.created, 7)


def several_files():
    files = [("a.png", PICTURE, "image/png"), ("b.png", PICTURE, "image/png")]
    reply = client.images.edit(model="painter", image=files, prompt=PROMPT, n=2)
    same(told(reply), [f"image[]=a.png {SIZE}; image[]=b.png {SIZE}; model=up; n=2; prompt={PROMPT}"] * 2)


def mask_and_settings():
    reply = client.images.edit(
        model="painter", image=("a.png", PICTURE), mask=("m.png", PICTURE), prompt=PROMPT, size="1024x1024", user="u"
    )
    expected = f"image=a.png {SIZE}; mask=m.png {SIZE}; model=up; prompt={PROMPT}; size=1024x1024; user=u"
    same(told(reply), [expected])


def refused_count():
    act = lambda: client.images.edit(model="painter", image=("a.png", PICTURE), prompt=PROMPT, n=11)
    error = raised(openai.BadRequestError, act)
    same((error.code, error.param), ("bad_field", "n"))


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    act = lambda: poor.images.edit(model="painter", image=("a.png", PICTURE), prompt=PROMPT)
    error = raised(openai.APIStatusError, act)
    same((error.status_code, error.code), (402, "insufficient_credit"))


def asynchronous():
    async def edit():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0) as client:
            return await client.images.edit(model="painter", image=[("a.png", PICTURE)], prompt=PROMPT)

    same(told(asyncio.run(edit())), [f"image[]=a.png {SIZE}; model=up; prompt={PROMPT}"])


for check in [one_file, several_files, mask_and_settings, refused_count, out_of_credit, asynchronous]:
    suite.case(check.__name__, check)
suite.end()
