"""Speaks to the server over standard input and output with the official Python SDK: `python.py SERVER`.

Every step is run twice: with the `initialize` handshake, and as the SDK negotiates by itself. The SDK checks each result
against the tool's output schema. Exits with 1 at the first difference.
"""

import asyncio
import sys
import tempfile
import warnings
from contextlib import AsyncExitStack
from pathlib import Path

import mcp
from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters

MEMORY = """\
## Home
- Denver

## Work
- Denver office
"""
TIMEOUT = 30


class Difference(Exception):
    """Something is not as expected."""


def expect(found, expected, what):
    if found != expected:
        raise Difference(f"{what}: expected {expected!r}, found {found!r}")


class Agent:
    """A client with a server process of its own."""

    def __init__(self, server, directory, mode, *flags):
        self.told = asyncio.Queue()
        parameters = StdioServerParameters(command=server, args=["--directory", str(directory), "serve", *flags])
        self.client = Client(parameters, mode=mode, read_timeout_seconds=TIMEOUT, message_handler=self.hear)

    async def hear(self, message):
        if getattr(message, "method", None) == "notifications/resources/updated":
            await self.told.put(str(message.params.uri))

    async def call(self, tool, **arguments):
        """Calls a tool, and returns its structured reply; its text and its error flag must agree with it."""
        result = await self.client.call_tool(tool, arguments)
        reply = result.structured_content
        expect(bool(result.is_error), reply["status"] == "error", f"isError of {reply}")
        expect([block.type for block in result.content], ["text"], f"content of {reply}")
        named = reply["code"] if result.is_error else reply["status"]
        expect(named in result.content[0].text, True, f"text of {reply}")
        return reply


async def lists(agent):
    """The server says who it is, and what it offers."""
    client = agent.client
    expect(client.server_info.name, "memdoc", "name of the server")
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name in ["memory_read", "patch_memory", "replace_in_memory", "diff_preview", "validate_memory"]:
        expect(name in tools, True, f"{name} is listed")
    for name, tool in tools.items():
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)
            expect(schema["type"], "object", f"type of a schema of {name}")
        hints = tool.annotations
        expect(hints.destructive_hint, not hints.read_only_hint, f"hints of {name}")
        expect(hints.open_world_hint, False, f"openWorldHint of {name}")
    expect(tools["memory_read"].annotations.read_only_hint, True, "readOnlyHint of memory_read")
    expect(tools["patch_memory"].annotations.read_only_hint, False, "readOnlyHint of patch_memory")

    resources = (await client.list_resources()).resources
    expect([str(resource.uri) for resource in resources], ["memdoc://memory"], "resources")
    prompts = (await client.list_prompts()).prompts
    expect([prompt.name for prompt in prompts], ["memory-guidance"], "prompts")
    prompt = await client.get_prompt("memory-guidance")
    expect(prompt.messages[0].content.text, client.instructions, "guidance and instructions")


async def edits(agent, file):
    """An edit needs a reading, and is made in the file."""
    edit = {"old_string": "Denver office", "new_string": "Boulder office"}
    expect((await agent.call("replace_in_memory", **edit))["code"], "missing_revision", "edit before reading")
    read = await agent.call("memory_read")
    expect(read["text"], MEMORY, "text")
    edited = await agent.call("replace_in_memory", base_revision=read["revision"], **edit)
    expect(edited["status"], "committed", "edit")
    expect(edited["changed_sections"], ["Work"], "changed sections")
    expect(file.read_text(), MEMORY.replace("Denver office", "Boulder office"), "file")
    patch = "*** Begin Patch\n*** Update Memory\n@@ section: Work\n-- Boulder office\n+- Denver office\n*** End Patch"
    expect((await agent.call("patch_memory", patch=patch))["status"], "committed", "patch")
    expect(file.read_text(), MEMORY, "file after the patch")
    resource = (await agent.client.read_resource("memdoc://memory")).contents[0]
    expect((resource.text, resource.mime_type), (MEMORY, "text/markdown"), "resource")


async def meets_ambiguity(agent, file):
    """What is found twice is refused with both places, and made in the one that is named then."""
    refused = await agent.call("replace_in_memory", old_string="Denver", new_string="Austin")
    expect(refused["status"], "error", "ambiguous edit")
    expect([place["section"] for place in refused["candidates"]], ["Home", "Work"], "candidates")
    expect(file.read_text(), MEMORY, "file after a refusal")
    made = await agent.call("replace_in_memory", old_string="Denver", new_string="Austin", section="Home")
    expect(made["status"], "committed", "edit in one section")


async def meets_conflict(agent, other, file):
    """What another process has changed meanwhile is not lost."""
    await other.call("memory_read")
    await agent.call("memory_read")
    theirs = await other.call("replace_in_memory", old_string="Denver office", new_string="remote")
    expect(theirs["status"], "committed", "edit of the other process")
    ours = {"old_string": "- Austin", "new_string": "- Boulder"}
    stale = await agent.call("replace_in_memory", **ours)
    expect(stale["code"], "stale_revision", "edit on an old revision")
    read = await agent.call("memory_read")
    expect("- remote" in read["text"], True, "their edit is read")
    expect((await agent.call("replace_in_memory", **ours))["status"], "committed", "the edit sent again")
    expect(file.read_text(), "## Home\n- Boulder\n\n## Work\n- remote\n", "file with both edits")


async def is_told(agent):
    """Who has subscribed to a document is told of a change."""
    change = {"old_string": "- Boulder", "new_string": "- Golden"}
    if agent.client.protocol_version >= "2026-07-28":
        async with agent.client.listen(resource_subscriptions=["memdoc://memory"]) as events:
            await agent.call("replace_in_memory", **change)
            uri = (await asyncio.wait_for(anext(events), TIMEOUT)).uri
    else:
        await agent.client.subscribe_resource("memdoc://memory")
        await agent.call("replace_in_memory", **change)
        uri = await asyncio.wait_for(agent.told.get(), TIMEOUT)
    expect(str(uri), "memdoc://memory", "the document that has changed")
    resource = (await agent.client.read_resource("memdoc://memory")).contents[0]
    expect("- Golden" in resource.text, True, "the resource is the new one")


async def minimal_set(agent):
    """A server may offer fewer tools."""
    async with agent.client:
        return [tool.name for tool in (await agent.client.list_tools()).tools]


async def steps(agent, other, file):
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(agent.client)
        await stack.enter_async_context(other.client)
        # What leaves the stack comes out as a group of exceptions.
        try:
            await lists(agent)
            await edits(agent, file)
            await meets_ambiguity(agent, file)
            await meets_conflict(agent, other, file)
            await is_told(agent)
        except Difference as difference:
            return agent.client.protocol_version, difference
        return agent.client.protocol_version, None


async def run(server, mode):
    """Runs every step, and returns the version of the protocol."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        file = directory / "memory.md"
        file.write_text(MEMORY)
        version, difference = await steps(
            Agent(server, directory, mode), Agent(server, directory, mode), file
        )
        if difference:
            raise difference
        names = await minimal_set(Agent(server, directory, mode, "--set", "minimal"))
        expect(names, ["memory_read", "patch_memory", "replace_in_memory"], "tools of the minimal set")
    return version


def main():
    # Clients of earlier versions subscribe in a way that the SDK calls deprecated.
    warnings.simplefilter("ignore", mcp.MCPDeprecationWarning)
    _, server = sys.argv
    for mode in ["legacy", "auto"]:
        try:
            version = asyncio.run(run(server, mode))
        except Difference as difference:
            sys.exit(f"{mode}: {difference}")
        print(f"{mode}: all as expected, protocol {version}")


main()
