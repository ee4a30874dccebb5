"""Runs both suites against the guarded example, and compares what they say with what is expected. The first argument is the program."""
import sys

from agmi.attacks.at_rest import AT_REST_ATTACKS_WITH_SNAPSHOT

import agmi_rows
import amsb
from guarded import Guarded

LEAST_SCORE = 85

# R is reported, - is accepted, . says nothing: a document has no metadata of its own. T1 to T9.
ROWS = {
    agmi_rows.Edits: "RRRRRRRR-",
    agmi_rows.EditsAnchored: "RRRRRRRRR",
    # A memory that is cut from the end is missed by the anchor, and by the store's own note, which `Memory::verified` does not hear of.
    agmi_rows.Memories: "RRRRRRRR-",
    agmi_rows.MemoriesAnchored: "RRRRRRRRR",
    # Hashes alone hold nobody who can make them. The index of the store, which is not made anew here, holds most.
    agmi_rows.Rehashed: "RRRR-RRR-",
    # What is added behind the anchor is seen by signatures only.
    agmi_rows.RehashedAnchored: "RRRR-RRRR",
    agmi_rows.RehashedSigned: "RRRRRRRRR",
    agmi_rows.DocumentAnchored: "RRRRRRR.R",
}


def agmi(problems):
    print("\nAGMI: T1 to T9; R: reported, -: accepted, .: says nothing")
    for row, expected in ROWS.items():
        results = [attack().run(row()) for attack in AT_REST_ATTACKS_WITH_SNAPSHOT]
        found = "".join({"safe": "R", "VULNERABLE": "-", "n/a": "."}.get(result.status, "E") for result in results)
        print(f"  {found}  {row.name}", flush=True)
        if found != expected:
            problems.append(f"{row.name}: expected {expected}, found {found}")
            problems += [f"  {result.attack}: {result.guard or result.error or result.detail}" for result in results]


def scores(problems):
    print("\nAMSB")
    _, bare = amsb.run(amsb.NotesWithoutPolicy)
    report, card = amsb.run(amsb.Notes)
    for row in bare, card:
        print(f"  {row.score:5.1f} {row.grade.value}  {row.defended_total}/{row.malicious_total} attacks held,"
              f" {row.false_positives}/{row.benign_total} harmless refused  {row.system}")
    print("  missed:", ", ".join(run.scenario_id for run in report.runs if not run.passed) or "none")
    if card.score < LEAST_SCORE or card.false_positives:
        problems.append(f"AMSB: expected {LEAST_SCORE} or more and nothing harmless refused")
    return card.score


def main():
    Guarded.program = sys.argv[1]
    problems = []
    agmi(problems)
    score = scores(problems)
    for problem in problems:
        print(problem)
    print("\nnot as it should be" if problems else f"\nas expected: AMSB {score:.1f}, AGMI row by row")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
