import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { SMTPServer } from "smtp-server";
import { main } from "../packages/cli/src/index.ts";
import { installCommand } from "../packages/cli/test/install-command.ts";
import { findDifference } from "./docs/match-output.ts";
import { type Block, isCode, isOutput, moduleName, moduleOf, readBlocks } from "./docs/read-blocks.ts";

/**
 * Runs the code in documents, in the order of each document, in one folder per document. Writes a JSON object: the
 * error of each block by `file:line`, empty for success. Arguments: a folder for the modules, and the documents.
 */
const root = resolve(import.meta.dirname, "..");
const [modules = "", ...files] = process.argv.slice(2);
const calls = mkdtempSync(join(tmpdir(), "posthorn-docs-"));
const results: Record<string, string> = {};
const long: { child: ChildProcess; ended: Promise<unknown> }[] = [];
const own = { stdout: process.stdout, stderr: process.stderr, stdin: process.stdin, env: process.env };

const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData: (stream, _session, done) => void text(stream).then(() => done(), done),
});
mailServer.listen(0, "127.0.0.1");
await once(mailServer.server, "listening");
const smtpPort = (mailServer.server.address() as AddressInfo).port;

/** Replaces ports by free ones, and the mail server by this run's. */
const adapt = (code: string): string =>
  code
    .replaceAll("smtp://127.0.0.1:1025", `smtp://127.0.0.1:${smtpPort}`)
    .replaceAll("http://127.0.0.1:8080", process.env["DOCS_URL"] ?? "http://127.0.0.1:8080")
    .replaceAll("sk_the_key_you_were_shown", process.env["API_KEY"] ?? "")
    .replace(/\b3000\b/g, "0");

const runner = createServer((request, response) => {
  const noted = request.url ?? "";
  const answer = noted.includes("/long.") ? startLong(noted) : call(noted).then(String);
  answer.then(
    (said) => response.end(said),
    (error) => response.writeHead(500).end(String(error)),
  );
}).listen(0, "127.0.0.1");
await once(runner, "listening");

const list = (path: string): string[] => readFileSync(path, "utf8").split("\0").slice(0, -1);
const envOf = (noted: string): NodeJS.ProcessEnv =>
  Object.fromEntries(
    list(`${noted}.env`).map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** Runs a command line that the shell has noted in files of this name, in this process; returns its exit code. */
async function call(noted: string): Promise<number> {
  const written = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    value: Object.assign(Object.create(own[name]), {
      isTTY: false,
      write(chunk: string | Uint8Array, ...rest: unknown[]) {
        written[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
        const done = rest.at(-1);
        if (typeof done === "function") done();
        return true;
      },
    }),
    configurable: true,
  });
  const stdin = Object.assign(Readable.from([readFileSync(`${noted}.stdin`)]), { isTTY: false });
  Object.defineProperties(process, {
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    stdin: { value: stdin, configurable: true },
  });
  process.env = envOf(noted);
  process.chdir(readFileSync(`${noted}.cwd`, "utf8").trim());
  process.exitCode = undefined;
  try {
    await main(list(`${noted}.args`));
  } finally {
    for (const name of ["stdout", "stderr", "stdin"] as const)
      Object.defineProperty(process, name, { value: own[name], configurable: true });
    process.env = own.env;
  }
  const code = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  writeFileSync(`${noted}.stdout`, written.stdout);
  writeFileSync(`${noted}.stderr`, written.stderr);
  return code;
}

/** Output by which a command shows that it is ready. */
const readySigns: Record<string, RegExp> = {
  dev: /Ctrl-C ends it/,
  serve: /Reference:/,
  worker: /Delivering/,
};

/** Starts a command that runs until it is stopped; once it is ready, returns its variables for the shell. */
async function startLong(noted: string): Promise<string> {
  const args = list(`${noted}.args`);
  const sign = readySigns[args[0] ?? ""];
  if (sign === undefined) throw new Error(`when is "${args.join(" ")}" ready?`);
  const child = spawn(process.execPath, [installCommand(), ...args], {
    cwd: readFileSync(`${noted}.cwd`, "utf8").trim(),
    env: { ...envOf(noted), SERVICE_PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  long.push({ child, ended });
  let said = "";
  const ready = new Promise<void>((done) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (sign.test(said)) done();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
  });
  const late = setTimeout(() => child.kill("SIGKILL"), 300_000);
  await Promise.race([ready, ended]);
  clearTimeout(late);
  if (child.signalCode !== null) throw new Error(`was not ready within five minutes:\n${said}`);
  if (child.exitCode !== null && child.exitCode !== 0) throw new Error(said);
  const url = /Listening on (\S+)/.exec(said)?.[1];
  const key = /sk_\w{40}/.exec(said)?.[0];
  return [
    url === undefined ? "" : `export DOCS_URL=${url}`,
    key === undefined ? "" : `export API_KEY=${key}`,
  ].join("\n");
}

async function stopLong(): Promise<void> {
  for (const { child, ended } of long.splice(0)) {
    child.kill("SIGINT");
    await ended;
  }
}

/** Runs the commands of a block as one script, with the variables that earlier blocks exported. */
async function runShell(block: Block, folder: string): Promise<string> {
  const state = join(folder, ".exports");
  const exported = join(folder, ".exported");
  const script = [
    "set -euo pipefail",
    `. ${join(root, "tools/docs/shell.sh")}`,
    `[ ! -e ${state} ] || . ${state}`,
    adapt(block.text),
    `export -p > ${exported}`,
  ].join("\n");
  const child = spawn("bash", ["-c", script], {
    cwd: folder,
    env: {
      PATH: own.env["PATH"],
      HOME: folder,
      DOCS_RUNNER: String((runner.address() as AddressInfo).port),
      DOCS_CALLS: calls,
      DOCS_ROOT: root,
      DOCS_URL: "",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, complaints, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  if (code !== 0) throw new Error(`ended with ${code}:\n${output}${complaints}`);
  const kept = readFileSync(exported, "utf8")
    .split("\n")
    .filter((line) => / (DOCS_URL|[A-Z]+_?KEY|SERVICE_[A-Z_]+|TOKEN)=/.test(line))
    .join("\n");
  writeFileSync(state, kept);
  for (const [, name, value] of kept.matchAll(/ (\w+)="(.*)"/g))
    if (name === "DOCS_URL" || name === "API_KEY") process.env[name] = value ?? "";
  return output;
}

/** Runs a module that begins with the blocks of its name; returns its log. */
async function runModule(block: Block, blocks: Block[], folder: string): Promise<string> {
  const code = moduleOf(block, blocks);
  if (code === undefined) return "";
  const file = join(modules, moduleName(block));
  writeFileSync(file, adapt(code));
  process.chdir(folder);
  let logged = "";
  const log = console.log;
  console.log = (...words: unknown[]) => {
    logged += `${format(...words)}\n`;
  };
  try {
    await import(pathToFileURL(file).href);
  } finally {
    console.log = log;
  }
  return logged;
}

async function runDocument(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-doc-"));
  const blocks = readBlocks(root, file);
  let output = "";
  for (const [at, block] of blocks.entries()) {
    const place = `${block.file}:${block.line}`;
    try {
      if (isCode(block))
        output = await (block.language === "sh" ? runShell(block, folder) : runModule(block, blocks, folder));
      const before = blocks[at - 1];
      const shows = isOutput(block) && before !== undefined && isCode(before);
      results[place] = shows ? (findDifference(block.language, block.text, output) ?? "") : "";
    } catch (error) {
      results[place] = String((error as Error).stack ?? error);
    }
  }
  await stopLong();
  delete process.env["DOCS_URL"];
  delete process.env["API_KEY"];
  process.chdir(root);
  rmSync(folder, { recursive: true });
}

mkdirSync(modules, { recursive: true });
for (const file of files) await runDocument(file);
rmSync(calls, { recursive: true });
own.stdout.write(JSON.stringify(results), () => process.exit(0));
