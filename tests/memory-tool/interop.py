"""Drives the memory tool through the vendor's Python SDK: `interop.py PROGRAM`.

The SDK's helper class is subclassed as a host would do it, with a program behind it that serves the tool. The same commands
go to the SDK's own implementation over a directory; what both answer is compared. Exits with 1 at the first difference.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from anthropic.lib.tools._beta_builtin_memory_tool import BetaAbstractMemoryTool, BetaLocalFilesystemMemoryTool
from anthropic.lib.tools._beta_functions import ToolError


class Served(BetaAbstractMemoryTool):
    """The SDK's memory tool, answered by a program."""

    def __init__(self, program, directory):
        super().__init__()
        self.process = subprocess.Popen(
            [program, "serve", str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, command):
        block = {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": command.to_dict()}
        self.process.stdin.write(json.dumps(block) + "\n")
        self.process.stdin.flush()
        result = json.loads(self.process.stdout.readline())
        if (result["type"], result["tool_use_id"]) != ("tool_result", "toolu_1"):
            raise SystemExit(f"no result of the call: {result}")
        if result["is_error"]:
            raise ToolError(result["content"])
        return result["content"]

    view = create = str_replace = insert = delete = rename = ask


def told(tool, command):
    """Returns whether a command was refused, and the text that the model reads."""
    try:
        return False, tool.call(dict(command))
    except ToolError as error:
        return True, str(error)


A = "/memories/a.md"
B = "/memories/notes/b.md"

# The commands, each with how much of what the SDK says must stand in the answer: all of it, its first line, or how it begins.
STEPS = [
    ("begins", {"command": "view", "path": "/memories"}),
    ("line", {"command": "view", "path": A}),
    ("all", {"command": "create", "path": A, "file_text": "Line 1\nOld Text\nLine 3"}),
    ("line", {"command": "create", "path": A, "file_text": "x"}),
    ("all", {"command": "view", "path": A}),
    ("all", {"command": "view", "path": A, "view_range": [2, 3]}),
    ("all", {"command": "view", "path": A, "view_range": [2, -1]}),
    ("all", {"command": "str_replace", "path": A, "old_str": "Old Text", "new_str": "New $& Text"}),
    ("line", {"command": "str_replace", "path": A, "old_str": "Old Text", "new_str": "x"}),
    ("line", {"command": "str_replace", "path": A, "old_str": "Line", "new_str": "x"}),
    ("line", {"command": "str_replace", "path": "/memories/none.md", "old_str": "x", "new_str": "y"}),
    ("all", {"command": "insert", "path": A, "insert_line": 1, "insert_text": "Between\n"}),
    ("all", {"command": "insert", "path": A, "insert_line": 0, "insert_text": "Top"}),
    ("range", {"command": "insert", "path": A, "insert_line": 99, "insert_text": "x"}),
    ("all", {"command": "create", "path": B, "file_text": "# B\n- one\n- two\n"}),
    ("all", {"command": "str_replace", "path": B, "old_str": "# B\n- one", "new_str": "# B\n- 1"}),
    ("begins", {"command": "view", "path": "/memories"}),
    ("all", {"command": "rename", "old_path": A, "new_path": "/memories/notes/a.md"}),
    ("line", {"command": "rename", "old_path": "/memories/notes/a.md", "new_path": B}),
    ("line", {"command": "rename", "old_path": A, "new_path": "/memories/c.md"}),
    ("line", {"command": "delete", "path": A}),
    ("line", {"command": "delete", "path": "/memories"}),
    ("all", {"command": "delete", "path": "/memories/notes"}),
    ("line", {"command": "view", "path": B}),
    ("line", {"command": "view", "path": "/etc/passwd"}),
    ("line", {"command": "view", "path": "/memories/../x.md"}),
]


def wanted(how, text):
    """Returns what of the SDK's text must stand at the beginning of the answer."""
    if how == "all":
        return text
    first = text.split("\n")[0]
    # Only the number is the same in both of the vendor's SDKs.
    cuts = {"begins": ":", "range": ". It should be within the range"}
    return first.split(cuts[how])[0] if how in cuts else first


def main(program):
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as theirs:
        served, reference = Served(program, Path(own)), BetaLocalFilesystemMemoryTool(theirs)
        for how, command in STEPS:
            (is_refused, text), (is_error, expected) = told(served, command), told(reference, command)
            beginning = wanted(how, expected)
            if is_refused != is_error or not text.startswith(beginning):
                sys.exit(f"{command}: expected {'an error' if is_error else 'an answer'} {beginning!r}, found {text!r}")
        if served.to_dict() != {"type": "memory_20250818", "name": "memory"}:
            sys.exit(f"the SDK offers {served.to_dict()}")
        served.process.stdin.close()
        served.process.wait(30)
    print(f"{len(STEPS)} commands through the SDK's memory tool: as expected")


main(sys.argv[1])
