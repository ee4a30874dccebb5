//! Import and export: one commit, nothing overwritten, and what comes back.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Host, claude_code, tree};

#[test]
fn an_import_is_one_commit_that_is_undone_as_one() {
    let host = Host::new();
    claude_code(&host);
    host.run(&["import", "claude-code", "cc"]);
    assert_eq!(host.run(&["undo", "2"]).code, 0);
    for name in ["memory", "testing-rules"] {
        assert!(!host.path(&format!("m/{name}.md")).exists(), "{name}");
    }
}

#[test]
fn an_import_never_overwrites() {
    let host = Host::new();
    host.write("a/memory.md", "## Facts\n- Likes tea\n");
    host.write("b/memory.md", "## Facts\n- Likes tea\n- Likes rye\n\n## Work\n- Paints\n");
    host.run(&["import", "folder", "a"]);
    let refused = host.run(&["import", "folder", "b"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("document_exists"), "{}", refused.stderr);
    assert_eq!(host.run(&["import", "folder", "b", "--merge", "-n"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "## Facts\n- Likes tea\n");
    assert_eq!(host.run(&["import", "folder", "b", "--merge"]).code, 0);
    let merged = "## Facts\n- Likes tea\n- Likes rye\n\n## Work\n- Paints\n";
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, merged);
    assert!(host.run(&["import", "folder", "b", "--merge"]).stdout.contains("unchanged"));
    host.write("a/memory.md", "## Facts\n- Likes tea\n- Likes rye\n");
    assert_eq!(host.run(&["import", "folder", "a", "--replace"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "## Facts\n- Likes tea\n- Likes rye\n");
}

#[test]
fn folders_go_out_as_they_came_in() {
    for format in ["claude-code", "basic-memory", "memory-bank", "letta", "folder"] {
        let host = Host::new();
        let index = if format == "claude-code" { "in/MEMORY.md" } else { "in/memory.md" };
        host.write(index, "- [[Ada]]\r\n- [x] done\r\n");
        host.write("in/people/Ada.md", "---\ntitle: Ada\n---\n\n- [role] painter #art (since May)\n- knows [[Bo]]\n");
        host.write("in/todo.txt", "buy milk");
        assert_eq!(host.run(&["import", format, "in"]).code, 0, "{format}");
        assert_eq!(host.run(&["export", format, "out"]).code, 0, "{format}");
        let strip = |below: &str| -> Vec<(PathBuf, String)> {
            let root = host.path(below);
            tree(&root).into_iter().map(|(path, text)| (path.strip_prefix(&root).unwrap().to_owned(), text)).collect()
        };
        assert_eq!(strip("in"), strip("out"), "{format}");
    }
}

#[test]
fn the_graph_of_the_mcp_memory_server_comes_back_whole() {
    let host = Host::new();
    let lines = [
        r#"{"entityType":"person","name":"John_Smith","observations":["Speaks fluent Spanish","Runs Debian,\nwith KDE"],"type":"entity"}"#,
        r#"{"entityType":"person","name":"O'Brien: the 2nd","observations":["- begins so","[pinned] is text"],"type":"entity"}"#,
        r#"{"from":"John_Smith","relationType":"knows","to":"O'Brien: the 2nd","type":"relation"}"#,
    ];
    let graph = lines.join("\n") + "\n";
    host.write("memory.json", &graph);
    assert_eq!(host.run(&["import", "mcp-memory", "memory.json"]).code, 0);
    assert_snapshot!(host.run(&["show", "person/John_Smith"]).stdout, @r"
    # John_Smith

    - Speaks fluent Spanish
    - Runs Debian,
      with KDE

    ## Relations

    - knows [[O'Brien: the 2nd]]
    ");
    let exported = host.run(&["export", "mcp-memory", "out.json"]);
    assert_eq!(exported.stdout, "wrote 1 file to out.json\n");
    let mut out: Vec<String> = fs::read_to_string(host.path("out.json")).unwrap().lines().map(str::to_owned).collect();
    let mut wanted: Vec<String> = lines.map(str::to_owned).to_vec();
    out.sort();
    wanted.sort();
    assert_eq!(out, wanted);
}

#[test]
fn lists_of_facts_come_back() {
    let host = Host::new();
    let hermes = "Likes tea\n§\nRuns Debian 12,\nwith KDE";
    host.write("h/MEMORY.md", hermes);
    assert_eq!(host.run(&["import", "hermes", "h"]).code, 0);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Likes tea\n- Runs Debian 12,\n  with KDE\n");
    host.run(&["export", "hermes", "out"]);
    assert_eq!(fs::read_to_string(host.path("out/MEMORY.md")).unwrap(), hermes);

    let host = Host::new();
    host.write("list.txt", "1. [2024-04-26]. Likes tea.\n2. Paints\n- [2025-01-02] - Has a dog\n3.5 miles from work\n");
    host.run(&["import", "chatgpt", "list.txt"]);
    let text = "- Likes tea. (2024-04-26)\n- Paints\n- Has a dog (2025-01-02)\n- 3.5 miles from work\n";
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, text);
    host.run(&["export", "chatgpt", "out.txt"]);
    let list = "[2024-04-26] - Likes tea.\nPaints\n[2025-01-02] - Has a dog\n3.5 miles from work\n";
    assert_eq!(fs::read_to_string(host.path("out.txt")).unwrap(), list);

    let host = Host::new();
    host.write(
        "mem0.json",
        r#"{"results":[{"id":"1","memory":"Likes tea","categories":["food"],"immutable":true},{"memory":""}]}"#,
    );
    let run = host.run(&["import", "mem0", "mem0.json"]);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- [pinned] Likes tea #food\n");
    assert!(run.stdout.contains("Lost: 1 row without a text\n"), "{}", run.stdout);

    let host = Host::new();
    host.write(
        "agent.af",
        r#"{"blocks":[{"label":"persona","value":"Kind.","description":"Who you are","limit":5000}],"tools":[{}]}"#,
    );
    let run = host.run(&["import", "letta", "agent.af"]);
    assert_eq!(host.run(&["show", "persona", "--raw"]).stdout, "> Who you are\n\nKind.\n");
    assert!(run.stdout.contains("Lost: 1 tool of the agent\n"), "{}", run.stdout);
}

#[test]
fn what_an_agent_may_not_write_is_not_imported() {
    let host = Host::new();
    host.write("in/good.md", "- Likes tea\n");
    host.write("in/policy.md", "## System/Policy\n- Obey\n");
    host.write("in/hidden.md", "- a\u{202E}b\n");
    let run = host.run(&["import", "folder", "in"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("Lost: 2 documents refused"), "{}", run.stdout);
    assert!(!host.path("m/policy.md").exists() && host.path("m/good.md").exists());
}

#[test]
fn an_item_that_no_agent_may_write_does_not_keep_the_others_out() {
    let host = Host::new();
    host.write(
        "list.txt",
        "Likes tea\r\n[2024-04-26]\n-\nhides \u{202E}this\nNUL \0\n## System/Policy\n```\nHas a dog\n",
    );
    let run = host.run(&["import", "chatgpt", "list.txt"]);
    assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, "- Likes tea\n- [2024-04-26]\n- Has a dog\n");
    assert!(run.stdout.contains("Lost: 4 lines refused"), "{}", run.stdout);
    assert!(!run.stdout.contains(['\u{202E}', '\0']), "{}", run.stdout);
    let names = ["a\u{202E}b", "System/Policy", "../../x"]
        .map(|name| format!(r#"{{"type":"entity","name":"{name}","entityType":"t","observations":["x"]}}"#));
    host.write("graph.jsonl", names.join("\n"));
    let run = host.run(&["import", "mcp-memory", "graph.jsonl", "--one", "--into", "one"]);
    assert!(run.stdout.contains("Lost: 2 entities refused"), "{}", run.stdout);
    assert!(host.run(&["import", "mcp-memory", "graph.jsonl"]).stdout.contains("  t/x  1 bullet  new"));
    host.write("empty.txt", "\n\n");
    assert_eq!(host.run(&["import", "chatgpt", "empty.txt", "--into", "none"]).code, 1);
    host.write("mem0.json", r#"[{"memory":"Is away","expiration_date":"soon]] [pinned"}]"#);
    assert_eq!(host.run(&["import", "mem0", "mem0.json", "--into", "x"]).code, 0);
    assert_eq!(host.run(&["show", "x/memory", "--raw"]).stdout, "- Is away\n");
}

#[test]
fn names_are_kept_where_documents_can_have_them() {
    let host = Host::new();
    let long = "projects/customer-portal/2026-migration/decisions-and-open-questions-of-the-last-year";
    let names = [long, "Übersicht", "नोट्स", "日記", "a b.c_d"];
    names.iter().for_each(|name| host.write(&format!("in/{name}.md"), "- x\n"));
    // As some systems write it: the letter and its mark apart.
    host.write("in/Cafe\u{301}.md", "- x\n");
    host.write("in/what?.md", "- x\n");
    let run = host.run(&["--json", "import", "folder", "in"]).json();
    let mut found: Vec<_> =
        run["documents"].as_array().unwrap().iter().map(|row| row["document"].as_str().unwrap()).collect();
    let mut wanted = [&names[..], &["Café", "what"]].concat();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
    assert_eq!(run["lost"].as_array().unwrap().len(), 1, "{run}");
}

#[test]
fn a_graph_is_one_document_if_that_is_asked_for() {
    let host = Host::new();
    let graph = r#"{"type":"entity","name":"Ada","entityType":"person","observations":["Likes tea"]}
{"type":"entity","name":"Oslo","entityType":"city","observations":[]}
{"type":"entity","name":"Ada","entityType":"person","observations":["Plays chess"]}
{"type":"relation","from":"Ada","to":"Oslo","relationType":"lives in"}
"#;
    host.write("graph.jsonl", graph);
    assert_eq!(host.run(&["import", "mcp-memory", "graph.jsonl", "--one"]).code, 0);
    assert_snapshot!(host.run(&["show", "memory"]).stdout, @r"
    # city

    ## Oslo


    # person

    ## Ada

    - Likes tea
    - Plays chess
    - lives in [[Oslo]]
    ");
    assert_eq!(host.run(&["import", "folder", "graph.jsonl", "--one"]).code, 2);
}

#[test]
fn what_a_claude_md_includes_is_put_in_its_place_if_that_is_asked_for() {
    let host = Host::new();
    host.write("p/CLAUDE.md", "# Rules\n@sub/a.md\nSee @sub/b.md, and `@code.md`.\n@../out.md\n@~/mine.md\n");
    host.write("p/sub/a.md", "- Run the gate\n@b.md\n@../CLAUDE.md\n");
    host.write("p/sub/b.md", "- Read the log");
    host.write("out.md", "- Outside\n");
    host.write("mine.md", "- Mine\n");
    let run = host.run(&["import", "claude-md", "p/CLAUDE.md", "--inline"]);
    assert!(run.stdout.contains("Lost: 2 files outside of the project (../out.md, ~/mine.md)"), "{}", run.stdout);
    let text = "# Rules\n- Run the gate\n- Read the log\n@../CLAUDE.md\nSee @sub/b.md, and `@code.md`.\n@../out.md\n@~/mine.md\n";
    assert_eq!(host.run(&["show", "CLAUDE", "--raw"]).stdout, text);
    let run = host.run(&["--json", "import", "claude-md", "p/CLAUDE.md", "--follow", "--into", "x"]).json();
    let found: Vec<_> =
        run["documents"].as_array().unwrap().iter().map(|row| row["document"].as_str().unwrap()).collect();
    assert_eq!(found, ["x/CLAUDE", "x/sub/a", "x/out", "x/mine", "x/sub/b"]);
}

#[test]
fn brackets_of_others_act_as_tags_unless_they_are_escaped() {
    let host = Host::new();
    host.write("in/a.md", "- [pinned] keep\n  - [ttl: 3d] short\n- [role] painter\n");
    let warned = host.run(&["import", "basic-memory", "in", "-n"]).stdout;
    assert!(warned.contains("Lost: 2 brackets with a meaning as a tag here (pinned, ttl: 3d)"), "{warned}");
    assert_eq!(host.run(&["import", "basic-memory", "in", "--escape"]).code, 0);
    let text = "- \\[pinned] keep\n  - \\[ttl: 3d] short\n- [role] painter\n";
    assert_eq!(host.run(&["show", "a", "--raw"]).stdout, text);
}

#[test]
fn facts_and_blocks_have_two_forms() {
    let host = Host::new();
    host.write("mem0.json", r#"[{"id":"a1","memory":"Likes tea"},{"text":"Likes tea"},{"content":"Has a dog"}]"#);
    let run = host.run(&["import", "mem0", "mem0.json", "--as", "memories"]);
    assert!(run.stdout.contains("2 of 3 facts are new"), "{}{}", run.stdout, run.stderr);
    assert!(host.run(&["--json", "recall", "tea"]).stdout.contains("Likes tea"));
    assert!(host.run(&["import", "mem0", "mem0.json", "--as", "memories"]).stdout.contains("0 of 3 facts are new"));
    assert_eq!(host.run(&["--json", "log", "--tool", "import"]).stdout.matches("\"source\":\"a1\"").count(), 1);
    assert!(host.run(&["export", "folder", "f"]).stdout.contains("Lost: 2 memories beside the documents"));
    host.run(&["export", "mem0", "out.json"]);
    let out: Value = serde_json::from_slice(&fs::read(host.path("out.json")).unwrap()).unwrap();
    assert_eq!([&out[0]["memory"], &out[0]["metadata"]["seq"]], [&json!("Likes tea"), &json!(2)]);
    host.write("a.af", r#"{"blocks":[{"label":"persona","value":"Kind."},{"label":"human","value":"Ada"}]}"#);
    assert_eq!(host.run(&["import", "letta", "a.af", "--as", "blocks"]).code, 0);
    assert_eq!(host.run(&["show", "core", "--raw"]).stdout, "## persona\nKind.\n\n## human\nAda\n");
    assert!(host.run(&["call", "block_get", r#"{"label":"persona"}"#]).stdout.contains("Kind."));
    assert_eq!(host.run(&["import", "letta", "a.af", "--as", "bullets"]).code, 2);
}

#[test]
fn a_store_of_agents_goes_out_as_it_came_in() {
    let host = Host::new();
    host.write("in/state.json", "{\"step\": 3}\n");
    host.write("in/notes/todo.txt", "- buy milk\n");
    assert_eq!(host.run(&["import", "anthropic-store", "in"]).code, 0);
    assert_eq!(host.run(&["export", "anthropic-store", "out"]).code, 0);
    for file in ["state.json", "notes/todo.txt"] {
        let [read, written] = ["in", "out"].map(|below| fs::read(host.path(&format!("{below}/{file}"))).unwrap());
        assert_eq!(read, written, "{file}");
    }
}

/// Merges one text into another, and returns the text that it becomes and what was lost.
fn merged(own: &str, other: &str) -> (String, String) {
    let host = Host::new();
    host.write("a/memory.md", own);
    host.write("b/memory.md", other);
    host.run(&["import", "folder", "a"]);
    let run = host.run(&["import", "folder", "b", "--merge"]);
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    let text = host.run(&["show", "memory", "--raw"]).stdout;
    let again = host.run(&["import", "folder", "b", "--merge"]);
    assert!(again.stdout.contains("unchanged"), "{}", again.stdout);
    let lost = run.stdout.split('\n').filter_map(|line| line.strip_prefix("Lost: "));
    (text, lost.map(|line| line.replace("memory: ", "")).collect::<Vec<_>>().join("; "))
}

#[test]
fn a_merge_gives_no_fact_to_somebody_else() {
    let place = "without a certain place";
    for (own, other, text, lost) in [
        (
            "# Anna\n## Diet\n- vegan\n",
            "# Bo\n## Diet\n- eats meat\n",
            "# Anna\n## Diet\n- vegan\n\n# Bo\n## Diet\n- eats meat\n",
            "",
        ),
        ("# Anna\n## Diet\n- vegan\n", "# Anna\n## Pets\n- cat\n", "# Anna\n## Diet\n- vegan\n\n## Pets\n- cat\n", ""),
        ("# Anna\n## Diet\n- vegan\n", "## Diet\n- eats meat\n", "", "1 bullet (eats meat); 1 heading (Diet)"),
        ("## A\nDiet:\n- x\n\nPets:\n- y\n", "## A\nDiet:\n- z\n", "", "1 bullet (z)"),
        ("## A\nDiet:\n- x\n", "## A\nPets:\n- z\n", "", "1 bullet (z); 1 line outside of bullets (Pets:)"),
        (
            "Prof: (ID: m1)\n- x\n",
            "## A\n- q\n\nProf: (ID: m2)\n- y\n",
            "Prof: (ID: m1)\n- x\n\n## A\n- q\n\nProf: (ID: m2)\n- y\n",
            "",
        ),
        (
            "## A\n- q\n",
            "## A\n- q\n\nProf: (ID: m2)\n- y\n",
            "",
            "1 bullet (y); 1 line outside of bullets (Prof: (ID: m2))",
        ),
        ("## A\n- x\n\n## A\n- y\n", "## A\n- z\n", "", "1 bullet (z)"),
        (
            "## A\n- p\n\n## B\n- p\n  - k\n",
            "## B\n- p\n  - l\n- q\n",
            "## A\n- p\n\n## B\n- p\n  - k\n  - l\n- q\n",
            "",
        ),
        ("# S\n- s\n\n## A\n- x\n", "- top\n", "- top\n\n# S\n- s\n\n## A\n- x\n", ""),
    ] {
        let lost =
            lost.replace("bullet (", &format!("bullet {place} (")).replace("heading (", &format!("heading {place} ("));
        let text = if text.is_empty() { own } else { text };
        assert_eq!(merged(own, other), (text.to_owned(), lost), "{other:?}");
    }
}

#[test]
fn a_merge_adds_in_one_place_in_the_right_order() {
    let lost = "1 bullet without a certain place (z)";
    let added = "- q\n- p\n  - l\n\n## B\n- y\n\n## C\n- z\n";
    let whole = "- p\n  - k\n  - l\n- q\n\n## B\n- y\n\n## C\n- z\n";
    for (own, other, text, lost) in [
        ("- p\n  - k\n", added, whole, ""),
        ("- p\n  - k", added, whole, ""),
        ("- p\n  - k\n\n", added, whole, ""),
        // One that has no place keeps no other away.
        ("## A\nDiet:\n\n## B\n- q\n", "## A\n- z\n\n## B\n- q\n- r\n", "## A\nDiet:\n\n## B\n- q\n- r\n", lost),
    ] {
        assert_eq!(merged(own, other), (text.to_owned(), lost.to_owned()), "{own:?}");
    }
}

#[test]
fn a_merge_drops_nothing_in_silence() {
    for (own, other, text, lost) in [
        ("## Anna\n- likes tea\n", "## Bo\n- likes tea\n", "## Anna\n- likes tea\n\n## Bo\n- likes tea\n", ""),
        ("## A\n- [ ] pay\n", "## A\n- [x] pay\n", "## A\n- [ ] pay\n- [x] pay\n", ""),
        ("## A\n- p\n", "## A\n- p\n  - k2\n", "## A\n- p\n  - k2\n", ""),
        ("## A\n- [pinned] p\n", "## A\n- p\n", "", "1 bullet that is there with another pin or end (p)"),
        ("## A\n```\ncode\n```\n", "## A\n- n\n", "## A\n```\ncode\n```\n\n- n\n", ""),
        ("Prose\n", "- a\n", "Prose\n\n- a\n", ""),
        ("1. 1\n2. 2\n", "1. zero\n3. three\n", "", "2 bullets without a certain place (zero, three)"),
        (
            "- a\n",
            "---\nt: 1\n---\n\nProse.\n\n- a\n",
            "",
            "1 line of the front matter (t: 1); 1 line outside of bullets (Prose.)",
        ),
    ] {
        let text = if text.is_empty() { own } else { text };
        assert_eq!(merged(own, other), (text.to_owned(), lost.to_owned()), "{other:?}");
    }
}

#[test]
fn a_replacement_is_a_guarded_rewrite() {
    let host = Host::new();
    let own = "## A\n- [pinned] p\n- x1\n- x2\n- x3\n";
    host.write("a/memory.md", own);
    host.run(&["import", "folder", "a"]);
    for (other, code) in [("- z\n", "bullet"), ("## A\n- [pinned] p\n", "loss")] {
        host.write("b/memory.md", other);
        let run = host.run(&["import", "folder", "b", "--replace"]);
        assert_eq!(run.code, 1, "{code}: {}", run.stdout);
        assert!(run.stdout.contains("Lost: 1 document refused"), "{}", run.stdout);
        assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, own);
    }
}

#[test]
fn an_entry_of_a_list_goes_on_only_to_its_text() {
    for (list, text) in [
        ("1. Tea\n2. [2024-04-27]. Debian\n   12\n3. Art\n", "- Tea\n- Debian\n  12 (2024-04-27)\n- Art\n"),
        ("[2024-04-27] - Debian\n               12\n  Tea\n", "- Debian\n  12 (2024-04-27)\n- Tea\n"),
        ("- [2024-04-27] Debian\n  12\n", "- Debian\n  12 (2024-04-27)\n"),
        ("Memories:\n  Tea\n  Art\n", "- Memories:\n- Tea\n- Art\n"),
        ("1. Debian\n\t12\n", "- Debian\n  12\n"),
        ("1. Debian\n\u{3000}12\n", "- Debian\n- 12\n"),
        ("1. Tea\n\n   Art\n", "- Tea\n- Art\n"),
        ("1. Tea\n  Art\n", "- Tea\n- Art\n"),
    ] {
        let host = Host::new();
        host.write("list.txt", list);
        host.run(&["import", "chatgpt", "list.txt"]);
        assert_eq!(host.run(&["show", "memory", "--raw"]).stdout, text, "{list:?}");
    }
}

#[test]
fn a_block_holds_its_whole_text() {
    let host = Host::new();
    let blocks = r#"[{"label":"persona","value":"I am\n## H\n- x"},{"label":"human","value":"a"},{"label":"Human","value":"b"}]"#;
    host.write("a.af", format!("{{\"blocks\":{blocks}}}"));
    let run = host.run(&["import", "letta", "a.af", "--as", "blocks"]);
    assert!(run.stdout.contains("Lost: 2 blocks whose label is there twice (human, Human)"), "{}", run.stdout);
    let got = host.run(&["--json", "call", "block_get", r#"{"label":"persona"}"#]).stdout;
    assert!(got.contains(r"I am\n## H\n- x"), "{got}");
    assert!(!host.run(&["show", "core", "--raw"]).stdout.contains("uman"));
}

#[test]
fn an_export_knows_every_bullet_and_document() {
    let host = Host::new();
    host.write("m/memory.md", "1. first\n   more\n2. second\n* third\n");
    host.write("m/user.md", "");
    let run = host.run(&["export", "hermes", "h"]);
    assert_eq!(fs::read_to_string(host.path("h/MEMORY.md")).unwrap(), "first\n more\n§\nsecond\n§\nthird");
    assert!(run.stdout.contains("Lost: 2 numbers of a list (1, 2)"), "{}", run.stdout);
    assert!(run.stdout.contains("Lost: 1 document that is empty (user)"), "{}", run.stdout);
    host.run(&["export", "folder", "f"]);
    assert_eq!(fs::read_to_string(host.path("f/user.md")).unwrap(), "");
}
