"""LiteLLM as a client: its loop over the formats that it speaks, whole and streamed, and answers in a form."""

import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, THINKER, TOTAL, Total, called, is_total, lookup_price, multiply, run, says

litellm.num_retries = 0
ACTS = {"lookup_price": lookup_price, "multiply": multiply}
QUESTIONS = [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]


def schema(**properties):
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


NUMBER, TEXT = {"type": "integer"}, {"type": "string"}
FUNCTIONS = [
    {"name": "lookup_price", "description": lookup_price.__doc__, "parameters": schema(item=TEXT)},
    {"name": "multiply", "description": multiply.__doc__, "parameters": schema(price=NUMBER, count=NUMBER)},
]


def loop(stream=False, **place):
    tools = [{"type": "function", "function": function} for function in FUNCTIONS]
    history = []
    for question, count, total in QUESTIONS:
        history.append({"role": "user", "content": question})
        while True:
            answer = litellm.completion(messages=history, tools=tools, stream=stream, **place)
            if stream:
                answer = litellm.stream_chunk_builder(list(answer), messages=history)
            message = answer.choices[0].message
            history.append(message)
            if not message.tool_calls:
                break
            for call in message.tool_calls:
                result = ACTS[call.function.name](**json.loads(call.function.arguments))
                history.append({"role": "tool", "tool_call_id": call.id, "content": result})
        called(count)
        says(message.content, total)


def openai(gateway, model=MODEL):
    return dict(model=f"openai/{model}", api_base=gateway.v1, api_key=gateway.key)


def chat(gateway):
    for stream in [False, True]:
        loop(stream, **openai(gateway))
        loop(stream, reasoning_effort="low", **openai(gateway, THINKER))


def anthropic(gateway):
    place = dict(model="anthropic/claude-sonnet-4-5", api_base=gateway.url, api_key=gateway.key)
    for stream in [False, True]:
        loop(stream, **place)
    loop(reasoning_effort="low", **place)


def google(gateway):
    place = dict(model="gemini/gemini-2.5-flash", api_base=f"{gateway.url}/v1beta", api_key=gateway.key)
    loop(**place)
    # It sends back what is signed on calls alone, and format R signs the thinking before them.
    if gateway.format != "responses":
        loop(reasoning_effort="low", **place)


def responses(gateway):
    tools = [{"type": "function", "strict": False, **function} for function in FUNCTIONS]
    for by_id in [True, False]:
        items, previous = [], None
        for question, count, total in QUESTIONS:
            items.append({"role": "user", "content": question})
            while True:
                more = {"reasoning": {"effort": "low"}, "previous_response_id": previous}
                answer = litellm.responses(input=items, tools=tools, **more, **openai(gateway, THINKER))
                output = [item if isinstance(item, dict) else item.model_dump(exclude_none=True) for item in answer.output]
                calls = [item for item in output if item["type"] == "function_call"]
                previous, items = (answer.id, []) if by_id else (None, [*items, *output])
                if not calls:
                    break
                for call in calls:
                    result = ACTS[call["name"]](**json.loads(call["arguments"]))
                    items.append({"type": "function_call_output", "call_id": call["call_id"], "output": result})
            called(count)
            says(output, total)


def in_a_form(gateway):
    messages = [{"role": "user", "content": f"Tea, with a total of {TOTAL}"}]
    answer = litellm.completion(messages=messages, response_format=Total, **openai(gateway))
    is_total(Total.model_validate_json(answer.choices[0].message.content), TOTAL)


run("litellm", chat, anthropic, google, responses, in_a_form)
