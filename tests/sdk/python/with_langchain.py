"""LangChain's models of three formats: a loop with tools over two questions, thinking, and answers in a form."""

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI
from langchain_openai import ChatOpenAI

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, THINKER, TOTAL, Total, called, is_total, lookup_price, multiply, run, says

TOOLS = {"lookup_price": tool(lookup_price), "multiply": tool(multiply)}


def openai(gateway, model=MODEL, **more):
    return ChatOpenAI(model=model, base_url=gateway.v1, api_key=gateway.key, max_retries=0, **more)


def streamed(model, history):
    whole = None
    for chunk in model.stream(history):
        whole = chunk if whole is None else whole + chunk
    return whole


def loop(model, stream=False):
    bound = model.bind_tools(list(TOOLS.values()))
    history = []
    for question, count, total in [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]:
        history.append(HumanMessage(question))
        while True:
            answer = streamed(bound, history) if stream else bound.invoke(history)
            history.append(answer)
            if not answer.tool_calls:
                break
            history += [TOOLS[call["name"]].invoke(call) for call in answer.tool_calls]
        called(count)
        says(answer.text, total)
        assert answer.usage_metadata["output_tokens"] > 0, answer


def chat(gateway):
    loop(openai(gateway))
    loop(openai(gateway, stream_usage=True), stream=True)


def chat_thinking(gateway):
    loop(openai(gateway, THINKER, reasoning_effort="low"))


def responses(gateway):
    loop(openai(gateway, use_responses_api=True))
    loop(openai(gateway, use_responses_api=True), stream=True)


def responses_thinking(gateway):
    reasoning = {"effort": "low", "summary": "auto"}
    for more in [{}, {"use_previous_response_id": True}, {"store": False, "include": ["reasoning.encrypted_content"]}]:
        model = openai(gateway, THINKER, use_responses_api=True, reasoning=reasoning, output_version="responses/v1", **more)
        loop(model)
        loop(model, stream=True)


def anthropic(gateway):
    model = dict(model="claude-sonnet-4-5", base_url=gateway.url, api_key=gateway.key, max_tokens=4000, max_retries=0)
    loop(ChatAnthropic(**model))
    thinking = ChatAnthropic(thinking={"type": "enabled", "budget_tokens": 2000}, **model)
    loop(thinking)
    loop(thinking, stream=True)


def google(gateway):
    model = dict(model="gemini-2.5-flash", base_url=gateway.url, api_key=gateway.key, max_retries=1)
    loop(ChatGoogleGenerativeAI(**model))
    loop(ChatGoogleGenerativeAI(thinking_budget=1000, include_thoughts=True, **model))


def in_a_form(gateway):
    for method in ["json_schema", "function_calling"]:
        for more in [{}, {"use_responses_api": True}]:
            model = openai(gateway, **more).with_structured_output(Total, method=method)
            is_total(model.invoke("Tea, with a total of 42"), TOTAL)


run("langchain", chat, chat_thinking, responses, responses_thinking, anthropic, google, in_a_form)
