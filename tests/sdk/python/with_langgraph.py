"""LangGraph: a graph of model and tools that remembers its thread, and LangChain's agent with answers in a form."""

from langchain.agents import create_agent
from langchain.agents.structured_output import ProviderStrategy, ToolStrategy
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, THINKER, TOTAL, Total, called, is_total, lookup_price, multiply, run, says

TOOLS = [tool(lookup_price), tool(multiply)]
THREAD = {"configurable": {"thread_id": "one"}}


def openai(gateway, model=MODEL, **more):
    return ChatOpenAI(model=model, base_url=gateway.v1, api_key=gateway.key, max_retries=0, **more)


def graph(model):
    bound = model.bind_tools(TOOLS)
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [bound.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode(TOOLS))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=InMemorySaver())


def converse(graph, form=None):
    for question, count, total in [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]:
        state = graph.invoke({"messages": [("user", question)]}, THREAD)
        called(count)
        if form:
            is_total(state["structured_response"], total)
        else:
            says(state["messages"][-1].text, total)


def chat(gateway):
    converse(graph(openai(gateway)))
    converse(graph(openai(gateway, THINKER, reasoning_effort="low")))


def responses(gateway):
    converse(graph(openai(gateway, use_responses_api=True)))
    converse(graph(openai(gateway, THINKER, use_responses_api=True, reasoning={"effort": "low"})))


def streamed(gateway):
    compiled = graph(openai(gateway, THINKER, use_responses_api=True, reasoning={"effort": "low"}))
    for question, count, total in [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]:
        pieces = compiled.stream({"messages": [("user", question)]}, THREAD, stream_mode="messages")
        told = "".join(piece.text for piece, place in pieces if place["langgraph_node"] == "model")
        called(count)
        says(told, total)


def agent_in_a_form(gateway):
    for strategy in [ProviderStrategy(Total), ToolStrategy(Total)]:
        for more in [{}, {"use_responses_api": True}]:
            agent = create_agent(openai(gateway, **more), TOOLS, response_format=strategy, checkpointer=InMemorySaver())
            converse(agent, form=True)


run("langgraph", chat, responses, streamed, agent_in_a_form)
