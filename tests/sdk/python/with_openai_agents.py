"""The OpenAI Agents SDK: its runner over both formats, going on by history, by session and by the response before."""

from agents import (
    Agent,
    ModelSettings,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    Runner,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from openai.types.shared import Reasoning

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, THINKER, TOTAL, Total, called, is_total, lookup_price, multiply, run, says

TOOLS = [function_tool(lookup_price), function_tool(multiply)]
THINKING = ModelSettings(reasoning=Reasoning(effort="low", summary="auto"))
QUESTIONS = [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]
set_tracing_disabled(True)


def agent(kind, gateway, settings=None, form=None):
    client = AsyncOpenAI(base_url=gateway.v1, api_key=gateway.key, max_retries=0)
    model = kind(model=THINKER if settings else MODEL, openai_client=client)
    return Agent(name="clerk", model=model, tools=TOOLS, model_settings=settings or ModelSettings(), output_type=form)


async def by_history(clerk, check=says):
    items = []
    for question, count, total in QUESTIONS:
        result = await Runner.run(clerk, [*items, {"role": "user", "content": question}])
        items = result.to_input_list()
        called(count)
        check(result.final_output, total)


async def by_session(clerk):
    session = SQLiteSession("one")
    for question, count, total in QUESTIONS:
        result = Runner.run_streamed(clerk, question, session=session)
        async for _ in result.stream_events():
            pass
        called(count)
        says(result.final_output, total)


async def by_response(clerk):
    previous = None
    for question, count, total in QUESTIONS:
        result = await Runner.run(clerk, question, previous_response_id=previous, auto_previous_response_id=True)
        previous = result.last_response_id
        called(count)
        says(result.final_output, total)


async def chat(gateway):
    for settings in [None, THINKING]:
        clerk = agent(OpenAIChatCompletionsModel, gateway, settings)
        await by_history(clerk)
        await by_session(clerk)


async def responses(gateway):
    closed = ModelSettings(reasoning=THINKING.reasoning, store=False, response_include=["reasoning.encrypted_content"])
    for settings in [None, THINKING, closed]:
        clerk = agent(OpenAIResponsesModel, gateway, settings)
        await by_history(clerk)
        await by_session(clerk)
        if settings is not closed:
            await by_response(clerk)


async def in_a_form(gateway):
    for kind in [OpenAIChatCompletionsModel, OpenAIResponsesModel]:
        await by_history(agent(kind, gateway, form=Total), is_total)


run("openai agents", chat, responses, in_a_form)
