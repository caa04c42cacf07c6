"""LlamaIndex: its agent over both formats of its OpenAI models, with a context that goes on, and answers in a form."""

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.prompts import PromptTemplate
from llama_index.core.workflow import Context
from llama_index.llms.openai import OpenAI, OpenAIResponses

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, THINKER, TOTAL, Total, called, is_total, lookup_price, multiply, run, says


def place(gateway, model=MODEL):
    return dict(model=model, api_base=gateway.v1, api_key=gateway.key, max_retries=0)


async def converse(llm, streaming):
    agent = FunctionAgent(tools=[lookup_price, multiply], llm=llm, streaming=streaming)
    context = Context(agent)
    for question, count, total in [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]:
        answer = await agent.run(question, ctx=context)
        called(count)
        says(answer, total)


async def chat(gateway):
    for streaming in [False, True]:
        await converse(OpenAI(**place(gateway)), streaming)
        await converse(OpenAI(reasoning_effort="low", **place(gateway, THINKER)), streaming)


async def responses(gateway):
    for streaming in [False, True]:
        await converse(OpenAIResponses(**place(gateway)), streaming)
        await converse(OpenAIResponses(reasoning_options={"effort": "low"}, **place(gateway, THINKER)), streaming)


def in_a_form(gateway):
    for llm in [OpenAI(**place(gateway)), OpenAIResponses(**place(gateway))]:
        is_total(llm.structured_predict(Total, PromptTemplate("Tea, with a total of {total}"), total=TOTAL), TOTAL)


run("llamaindex", chat, responses, in_a_form)
