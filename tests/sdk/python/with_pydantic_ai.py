"""Pydantic AI: its agent over the models of all its formats, with a history that goes on, and answers in a form."""

from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, THINKER, TOTAL, Total, called, is_total, lookup_price, multiply, run, says

QUESTIONS = [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]


def openai(gateway):
    return OpenAIProvider(base_url=gateway.v1, api_key=gateway.key)


async def converse(model, settings=None):
    agent = Agent(model, tools=[lookup_price, multiply], model_settings=settings)
    history = []
    for question, count, total in QUESTIONS:
        run = await agent.run(question, message_history=history)
        history = run.all_messages()
        called(count)
        says(run.output, total)
    history = []
    for question, count, total in QUESTIONS:
        async with agent.run_stream(question, message_history=history) as run:
            said = await run.get_output()
            history = run.all_messages()
        called(count)
        says(said, total)


async def chat(gateway):
    await converse(OpenAIChatModel(MODEL, provider=openai(gateway)))
    await converse(OpenAIChatModel(THINKER, provider=openai(gateway)), {"openai_reasoning_effort": "low"})


async def responses(gateway):
    await converse(OpenAIResponsesModel(MODEL, provider=openai(gateway)))
    thinking = {"openai_reasoning_effort": "low", "openai_reasoning_summary": "auto"}
    for more in [{}, {"openai_previous_response_id": "auto"}, {"openai_send_reasoning_ids": True}]:
        await converse(OpenAIResponsesModel(THINKER, provider=openai(gateway)), {**thinking, **more})


async def anthropic(gateway):
    model = AnthropicModel("claude-sonnet-4-5", provider=AnthropicProvider(base_url=gateway.url, api_key=gateway.key))
    await converse(model)
    await converse(model, {"anthropic_thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 4000})


async def google(gateway):
    model = GoogleModel("gemini-2.5-flash", provider=GoogleProvider(base_url=gateway.url, api_key=gateway.key))
    await converse(model)
    await converse(model, {"google_thinking_config": {"thinking_budget": 1000, "include_thoughts": True}})


async def in_a_form(gateway):
    for model in [OpenAIChatModel, OpenAIResponsesModel]:
        for form in [Total, NativeOutput(Total)]:
            agent = Agent(model(MODEL, provider=openai(gateway)), tools=[lookup_price, multiply], output_type=form)
            history = []
            for question, count, total in QUESTIONS:
                run = await agent.run(question, message_history=history)
                history = run.all_messages()
                called(count)
                is_total(run.output, total)


run("pydantic ai", chat, responses, anthropic, google, in_a_form)
