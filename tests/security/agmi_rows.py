"""AGMI T1 to T9 of agent-memory-integrity: a store is edited behind the library's back, and opened again.

What the attacker edits, and what the host holds against it, is a row each:

- `Edits`: two agents have edited a document, and entries of one in the journal are changed, cut, moved, copied and added. It is seen on
  opening, if the host asks for it, as the example does: `Memory::verified`.
- `Memories`: the same, with entries that stand beside the documents. No document misses one that is cut from the end.
- anchored: the host keeps one line elsewhere, by which a store that is older than it was is told, too.
- rehashed: as before, by an attacker who knows the format, and makes all digests and hashes anew. There are no secrets in those;
  documents are not concerned, which would have to be changed, too.
- signed: the host has a key, and the attacker has not.
- `Document`: the file that people may edit. An edit of it is no offence; it is recorded as one from outside, and told by its number.
"""
import copy
import hashlib
import json
import time
import os
import shutil
import tempfile
from pathlib import Path

from agmi.adapters.base import MemoryAdapter, Record

from guarded import Broken, Guarded, Unopened

OURS, THEIRS = "ada", "bo"


class Stored(MemoryAdapter):
    """What the rows have in common. The directory is the store; the anchor and the key stand elsewhere."""

    detection_point = "audit"
    supports_replay = supports_snapshot = True
    has_anchor = has_key = False

    def setup(self):
        self.home = Path(tempfile.mkdtemp(prefix="memdoc-agmi-"))
        self.directory, self.key = self.home / "store", self.home / "key"
        self.key.write_bytes(os.urandom(32))
        self.memory, self.anchor, self.written = None, None, {OURS: 0, THEIRS: 0}

    def teardown(self):
        self.reload()
        shutil.rmtree(self.home, ignore_errors=True)

    def reload(self):
        if self.memory:
            self.memory.close()
        self.memory = None

    def open(self, actor=OURS):
        self.reload()
        options = ["--no-policy", "--actor", actor]
        options += ["--checkpoint", self.anchor] if self.has_anchor and self.anchor else []
        options += ["--key", str(self.key)] if self.has_key else []
        self.memory = Guarded(self.directory, *options)

    def call(self, tool, **arguments):
        answer = self.memory.call(tool, "user", **arguments)
        if answer["code"] is not None:
            raise Broken(answer["text"])

    def write(self, actor, count):
        self.open(actor)
        for _ in range(count):
            number = self.written[actor] = self.written[actor] + 1
            self.add(actor, f"{actor} has seen {40 + number} ships")
        self.anchor = self.memory.ask("verify")["checkpoint"]
        self.reload()

    def seed(self, n):
        self.write(OURS, n)

    def seed_other(self, n):
        self.write(THEIRS, n)

    def append_genuine(self):
        self.write(OURS, 1)

    def verify(self):
        try:
            self.open()
            found = self.memory.ask("verify")
        except Unopened as refused:
            self.verify_detail = str(refused)
            return False
        problems = found["findings"] + [f"entry {seq} came from outside" for seq in found["outside"]]
        self.verify_detail = "; ".join(problems) or None
        return not problems

    def snapshot_store(self):
        self.reload()
        return self._copy_store(self.directory)

    def restore_store(self, token):
        self.reload()
        self._restore_store(token, self.directory)
        shutil.rmtree(Path(token).parent)

    def read_all_raw(self):
        return self.records(OURS)

    def read_other_raw(self):
        return self.records(THEIRS)

    def owner_of(self, record):
        return record.fields["owner"]

    def identity_of(self, record):
        return f"{record.fields['owner']} {record.seq}"


class Journal(Stored):
    """The entries of an agent, as lines of the journal."""

    supports_metadata = True

    @property
    def file(self):
        return self.directory / ".memdoc" / "journal.jsonl"

    def lines(self):
        return self.file.read_text(encoding="utf-8").splitlines()

    def save(self, lines):
        self.reload()
        self.file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    def places(self, owner):
        """The numbers of the lines that are the owner's."""
        return [at for at, line in enumerate(self.lines()) if json.loads(line)["header"]["actor"] == owner]

    def records(self, owner):
        lines = self.lines()
        places = enumerate(self.places(owner))
        return [Record(seq, {"owner": owner, "entry": self.seen(json.loads(lines[at]))}) for seq, at in places]

    def seen(self, entry):
        """What of an entry is compared."""
        return entry

    def write_raw(self, record):
        lines, places = self.lines(), self.places(OURS)
        line = written(record.fields["entry"])
        if record.seq < len(places):
            lines[places[record.seq]] = line
        else:
            lines.append(line)
        self.save(lines)

    def delete_raw(self, seq):
        lines = self.lines()
        del lines[self.places(OURS)[seq]]
        self.save(lines)

    def forge_record(self, template):
        forged = copy.deepcopy(template)
        forged.seq += 1
        forged.fields["entry"]["seq"] += 1
        return self.mutate_payload(forged)

    def replay_onto(self, victim_seq, donor):
        victim = self.read_all_raw()[victim_seq]
        for part in ("body", "revisions"):
            victim.fields["entry"][part] = copy.deepcopy(donor.fields["entry"][part])
        self.write_raw(victim)

    def payload_of(self, record):
        return json.dumps(record.fields["entry"]["body"], sort_keys=True)

    def read_meta(self, seq):
        return self.read_all_raw()[seq].fields["entry"]["header"]

    def write_meta(self, seq, meta):
        record = self.read_all_raw()[seq]
        del meta["agmi_meta_tampered"]
        record.fields["entry"]["header"] = {**meta, "source": "the owner of the bank"}
        self.write_raw(record)


class Edits(Journal):
    name = "edits"

    def add(self, actor, text):
        insert = {"op": "insert", "target": {"section": "Facts"}, "text": text}
        self.call("memory_read")
        self.call("edit_items", **insert)

    def mutate_payload(self, record):
        record.fields["entry"]["body"]["splices"][0][0]["added"] += "- [TAMPERED]\n"
        return record


class EditsAnchored(Edits):
    name, has_anchor = "edits, anchored", True


class Memories(Journal):
    name = "memories"

    def add(self, actor, text):
        self.call("memory_commit", content=text)

    def mutate_payload(self, record):
        record.fields["entry"]["body"]["record"]["memory"]["text"] += " [TAMPERED]"
        return record


class MemoriesAnchored(Memories):
    name, has_anchor = "memories, anchored", True


class Rehashed(Memories):
    """All digests and hashes are made anew by the journal's public format. A signature cannot be made anew."""

    name = "memories, rehashed"

    def seen(self, entry):
        header = {name: value for name, value in entry["header"].items() if name != "body"}
        return {"time": entry["time"], "header": header} | {name: entry[name] for name in ("body", "request", "revisions")}

    def save(self, lines):
        previous, rehashed = "0" * 64, []
        for number, line in enumerate(lines, 1):
            entry = json.loads(line)
            header = entry["header"] | {"body": digest("body 2", written(entry["body"]).encode()).hex()}
            fields = number.to_bytes(8, "big"), entry["time"].encode(), bytes.fromhex(previous)
            sealed = digest("entry 1", *fields, hashlib.sha256(written(header).encode()).digest()).hex()
            whole = {"seq": number, "time": entry["time"], "previous": previous, "header": header,
                     "body": entry["body"], "request": entry["request"], "revisions": entry["revisions"], "hash": sealed}
            whole |= {"signature": entry["signature"]} if "signature" in entry else {}
            rehashed.append(written(whole))
            previous = sealed
        super().save(rehashed)
        # The store's own note of how long the journal was.
        (self.file.parent / "note").unlink(missing_ok=True)

    def forge_record(self, template):
        forged = copy.deepcopy(template)
        forged.seq += 1
        return self.mutate_payload(forged)

    def write_raw(self, record):
        # What was not compared is taken from where it stood, and made anew by `save`.
        lines, places = self.lines(), self.places(OURS)
        here = json.loads(lines[places[min(record.seq, len(places) - 1)]])
        record.fields["entry"] = here | record.fields["entry"]
        super().write_raw(record)


class Document(Stored):
    """The lines of two notes in one file."""

    name = "document"

    def add(self, actor, text):
        self.call("write_memory", key=actor, content=f"\n- {text}", mode="append")

    @property
    def file(self):
        return self.directory / "notes.md"

    def lines(self):
        return self.file.read_text(encoding="utf-8").splitlines()

    def save(self, lines):
        self.reload()
        self.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        # A file that was saved just now is left alone for a moment.
        time.sleep(0.3)

    def places(self, owner):
        """The numbers of the bullets of the owner's note."""
        found, section = [], None
        for at, line in enumerate(self.lines()):
            section = line[3:] if line.startswith("## ") else section
            found += [at] if section == owner and line.startswith("- ") else []
        return found

    def records(self, owner):
        lines = self.lines()
        return [Record(seq, {"owner": owner, "line": lines[at]}) for seq, at in enumerate(self.places(owner))]

    def write_raw(self, record):
        lines, places = self.lines(), self.places(OURS)
        if record.seq < len(places):
            lines[places[record.seq]] = record.fields["line"]
        else:
            lines.insert(places[-1] + 1, record.fields["line"])
        self.save(lines)

    def delete_raw(self, seq):
        lines = self.lines()
        del lines[self.places(OURS)[seq]]
        self.save(lines)

    def replay_onto(self, victim_seq, donor):
        self.write_raw(Record(victim_seq, {"line": donor.fields["line"]}))

    def mutate_payload(self, record):
        record.fields["line"] += " [TAMPERED]"
        return record

    def payload_of(self, record):
        return record.fields["line"]


class RehashedAnchored(Rehashed):
    name, has_anchor = "memories, rehashed, anchored", True


class RehashedSigned(Rehashed):
    name, has_anchor, has_key = "memories, rehashed, anchored, signed", True, True


class DocumentAnchored(Document):
    name, has_anchor = "document, anchored", True


def written(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def digest(label, *fields):
    data = b"".join(len(field).to_bytes(8, "big") + field for field in (f"memdoc journal {label}".encode(), *fields))
    return hashlib.sha256(data).digest()
