// Does what a new user does, with the official TypeScript SDK as the agent: `typescript.mjs MEMDOC`.
//
// A memory is imported from a folder of notes, the server is started as its own configuration says, an edit is made, looked at,
// and taken back; then the same over HTTP. Exits with 1 at the first difference.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const MEMORY = "## Home\n- Denver\n\n## Work\n- Denver office\n";
const memdoc = process.argv[2];
const folder = mkdtempSync(join(tmpdir(), "memdoc-"));
const place = join(folder, "memory");
const file = join(place, "memory.md");

/** Runs a command as a person does. */
function run(...args) {
  const env = { ...process.env, HOME: folder, USER: "ada", MEMDOC_CONFIG: "" };
  return execFileSync(memdoc, ["-d", place, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Connects an agent, lets it work, and returns the version of the protocol. */
async function agent(transport, work) {
  const client = new Client({ name: "interop", version: "1" });
  await client.connect(transport);
  const call = async (name, args = {}) => {
    // The SDK checks what comes against the schema of the tool.
    const result = await client.callTool({ name, arguments: args });
    assert.equal(Boolean(result.isError), result.structuredContent.status === "error", JSON.stringify(result));
    return result.structuredContent;
  };
  try {
    assert.equal(client.getServerVersion().name, "memdoc");
    const tools = (await client.listTools()).tools.map((tool) => tool.name);
    assert.ok(tools.includes("memory_read") && tools.includes("replace_in_memory"), tools.join());
    await work(client, call);
  } finally {
    await client.close();
  }
}

async function edits(client, call) {
  const edit = { old_string: "Denver", new_string: "Austin" };
  assert.equal((await call("replace_in_memory", edit)).code, "missing_revision");
  assert.equal((await call("memory_read")).text, MEMORY);
  const refused = await call("replace_in_memory", edit);
  assert.deepEqual(refused.candidates.map((place) => place.section), ["Home", "Work"]);
  assert.equal((await call("replace_in_memory", { ...edit, section: "Home" })).status, "committed");
  assert.equal(readFileSync(file, "utf8"), MEMORY.replace("Denver", "Austin"));
  const resource = await client.readResource({ uri: "memdoc://memory" });
  assert.equal(resource.contents[0].text, MEMORY.replace("Denver", "Austin"));
}

async function overProcess() {
  const { command, args } = JSON.parse(run("-a", "claude", "serve", "--print-config", "claude-code")).mcpServers.memory;
  await agent(new StdioClientTransport({ command, args, stderr: "ignore" }), edits);
  const row = JSON.parse(run("--json", "log", "-c", "1"));
  assert.deepEqual([row.actor, row.tool, row.documents], ["claude", "replace_in_memory", ["memory"]]);
  run("undo", "-y", "-r", "it was a visit");
  assert.equal(readFileSync(file, "utf8"), MEMORY);
}

async function overHttp() {
  const env = { ...process.env, MEMDOC_TOKEN: "a-token-of-this-test" };
  const args = ["-d", place, "-a", "remote", "serve", "--http", "127.0.0.1:0"];
  const server = spawn(memdoc, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  try {
    const [line] = await once(createInterface({ input: server.stderr }), "line");
    const url = new URL(line.match(/http:\S+/)[0]);
    const transport = (token) =>
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization: `Bearer ${token}` } } });
    await assert.rejects(agent(transport("another"), async () => {}));
    await agent(transport(env.MEMDOC_TOKEN), edits);
    assert.equal(JSON.parse(run("--json", "log", "-c", "1")).actor, "remote");
  } finally {
    server.kill();
  }
}

try {
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes", "memory.md"), MEMORY);
  run("init");
  run("import", "folder", join(folder, "notes"));
  await overProcess();
  await overHttp();
  assert.match(run("verify"), /^sound/);
  console.log("standard input and output, HTTP: all as expected");
} finally {
  rmSync(folder, { recursive: true });
}
