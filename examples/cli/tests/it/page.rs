//! The page, as a browser shows it. Without Chromium only its text is looked at.

#![allow(clippy::print_stderr, reason = "a test that cannot run says why")]

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use crate::support::Host;

/// Texts that must stay texts.
const HOSTILE: &str = "- </script><script>document.title = 'broken'</script>\n- <img src=x onerror=\"document.title = 'broken'\">\n- <!-- <script>\n- right \u{202E}left\u{202C} and \u{200B}nothing\n- &lt;b&gt; `]]>`\n";

fn browser() -> Option<PathBuf> {
    let names = ["chromium-headless-shell", "chromium", "google-chrome"];
    let on_path = || {
        let path = env::var_os("PATH")?;
        env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|file| file.is_file())
    };
    env::var_os("MEMDOC_CHROMIUM").map(PathBuf::from).or_else(on_path)
}

/// Returns the document that a browser makes of the page, offline, and what it complains of.
fn shown(host: &Host, fragment: &str) -> Option<(String, String)> {
    let url = format!("file://{}#{fragment}", host.path("page.html").display());
    let output = Command::new(browser()?)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", "--enable-logging=stderr"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom", &url])
        .env("HOME", host.directory.path())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let complaints: Vec<_> =
        text(&output.stderr).lines().filter(|line| line.contains("CONSOLE")).map(ToOwned::to_owned).collect();
    // What scripts make stands before the data.
    let dom = text(&output.stdout);
    let made = dom.split("<script type=\"application/json\"").next().unwrap_or_default().to_owned();
    assert!(dom.contains("<title>memdoc</title>"), "{dom}");
    Some((made, complaints.join("\n")))
}

fn host() -> Host {
    let mut host = Host::new();
    host.write("in/memory.md", "## People\n- Ada lives in Denver\n- Bo lives in Oslo #pinned\n");
    assert_eq!(host.run(&["import", "folder", "in"]).code, 0);
    host.now = "2026-11-27T18:02:00Z".to_owned();
    let call = |old: &str, new: &str| {
        let arguments = serde_json::json!({"old_string": old, "new_string": new}).to_string();
        assert_eq!(host.run(&["call", "replace_in_memory", &arguments, "-a", "agent"]).code, 0, "{old}");
    };
    call("Denver", "Austin");
    call("- Bo lives in Oslo #pinned\n", "- Bo lives in Oslo #pinned\n- Cy lives in Rome\n");
    // As a person might write it: tools and imports refuse what is hidden.
    host.write("m/hostile.md", HOSTILE);
    assert_eq!(host.run(&["show", "hostile"]).code, 0);
    host
}

#[test]
fn a_page_is_one_file_for_its_owner() {
    let host = host();
    let run = host.run(&["export", "--html", "page.html"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = fs::read_to_string(host.path("page.html")).unwrap();
    assert_eq!(fs::metadata(host.path("page.html")).unwrap().permissions().mode() & 0o777, 0o600);
    for outside in ["http://", "https://", "src=\"", "@import", "url("] {
        let own = page.split("<script type=\"application/json\"").next().unwrap();
        assert!(!own.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<script").count(), 2, "hostile text is escaped");
    assert!(page.contains("&lt;/script&gt;") && page.contains("\\u003c/script"));
    // The same page again is written; another file is not overwritten.
    assert_eq!(host.run(&["export", "--html", "page.html"]).code, 0);
    host.write("other.html", "<p>mine");
    assert_eq!(host.run(&["export", "--html", "other.html"]).code, 1);
    assert_eq!(fs::read_to_string(host.path("other.html")).unwrap(), "<p>mine");
    assert_eq!(host.run(&["export", "--html", "none/page.html"]).code, 3);
    assert_eq!(host.run(&["export", "--html", "dry.html", "-n"]).code, 0);
    assert!(!host.path("dry.html").exists());
    assert_eq!(host.run(&["export"]).code, 2);
}

#[test]
fn a_browser_shows_texts_differences_and_who_wrote_what() {
    let host = host();
    host.run(&["export", "--html", "page.html"]);
    let Some((now, complaints)) = shown(&host, "doc=memory") else {
        // The gate says so, too.
        eprintln!("skipped: there is no Chromium; MEMDOC_CHROMIUM may name one");
        return;
    };
    assert_eq!(complaints, "");
    assert!(now.contains("Ada lives in Austin") && now.contains("3 agent") && now.contains("4 agent"), "{now}");
    let (past, _) = shown(&host, "doc=memory&at=2").unwrap();
    assert!(past.contains("Ada lives in Denver") && !past.contains("Austin"), "{past}");
    let (diff, _) = shown(&host, "doc=memory&from=2&to=3").unwrap();
    assert!(diff.contains("<mark>Denver</mark>") && diff.contains("<mark>Austin</mark>"), "{diff}");
    assert!(!diff.contains("Cy lives"), "{diff}");
    let (hostile, complaints) = shown(&host, "doc=hostile").unwrap();
    assert_eq!(complaints, "");
    assert!(
        hostile.contains("U+202E") && hostile.contains("&lt;img src=x onerror=") && !hostile.contains("<img"),
        "{hostile}"
    );
    let (odd, complaints) = shown(&host, "doc=%3Cimg%3E&at=99999999999&from=-5&entry=x").unwrap();
    assert!(complaints.is_empty() && odd.contains("Nothing differs") || odd.contains("text-table"), "{odd}");
}
