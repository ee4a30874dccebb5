"""AMSB of agent-memory-guard: attacks and harmless notes are written, and read back after a restart."""
import tempfile

from agent_memory_guard.bench.adapter import MemorySystemAdapter, RememberOutcome
from agent_memory_guard.bench.harness import run_suite
from agent_memory_guard.bench.scoring import score_report

from guarded import Guarded

# The benchmark's names of sources, as a host of the example would call them.
SOURCES = {"user_input": "user", "external_tool": "tool", "agent_authored": "agent"}


class Notes(MemorySystemAdapter):
    """Keys are keys of notes."""

    name, version, options = "memdoc", "0.1.0", ()

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="memdoc-amsb-")
        self.memory = Guarded(self.directory.name, *self.options)

    def remember(self, key, value, *, source_class="external_tool"):
        source = SOURCES.get(source_class, source_class)
        answer = self.memory.call("write_memory", source, key=key, content=str(value))
        if answer["code"] is None:
            return RememberOutcome.STORED
        withheld = self.memory.ask("quarantined")["entries"]
        return RememberOutcome.QUARANTINED if withheld else RememberOutcome.BLOCKED

    def context_reset(self):
        self.memory.close()
        self.memory = Guarded(self.directory.name, *self.options)

    def recall(self, key):
        # The harness has no end of an adapter; a recall is the last that it does with one.
        try:
            return self.memory.ask("note", key=key)["text"]
        finally:
            self.memory.close()
            self.directory.cleanup()


class NotesWithoutPolicy(Notes):
    name, options = "memdoc without a policy", ("--no-policy",)


def run(adapter):
    report = run_suite(adapter)
    return report, score_report(report)
