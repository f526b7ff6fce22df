import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandWorld } from "./command-world.ts";
import { makeFolder, runCommand } from "./run-command.ts";

test("migrate tells what is pending without making a file, runs it, and then has nothing to do", async () => {
  const cwd = makeFolder();
  const before = await runCommand(["migrate", "--dry-run"], { cwd });
  expect(before.code).toBe(0);
  const pending = JSON.parse(before.stdout) as { name: string; applied_at: string | null }[];
  expect(pending.length).toBeGreaterThan(0);
  expect(pending.every(({ applied_at }) => applied_at === null)).toBe(true);
  expect(readdirSync(cwd)).toEqual([]);

  const ran = await runCommand(["migrate"], { cwd });
  expect(JSON.parse(ran.stdout).map(({ name }: { name: string }) => name)).toEqual(
    pending.map(({ name }) => name),
  );
  const status = await runCommand(["migrate", "--status"], { cwd });
  expect(
    JSON.parse(status.stdout).every(({ applied_at }: { applied_at: string | null }) => applied_at !== null),
  ).toBe(true);
  expect((await runCommand(["migrate"], { cwd })).stdout).toBe("[]\n");
});

test.each([
  ["migrate"],
  ["migrate", "--status"],
  ["backup", "copy.db"],
  ["copy", "--from", "sqlite:./a.db", "--to", "sqlite:./b.db"],
  ["config", "replace-secret-key", "--yes"],
  ["retention", "run"],
  ["users", "set-password", "ada@example.com"],
])("with a profile, what works on the database itself says so and does nothing: %s %s", async (...args) => {
  const cwd = makeFolder();
  const { code, stderr } = await runCommand(args, { cwd, env: { SERVICE_PROFILE: "prod" } });
  expect(code).toBe(2);
  expect(stderr).toContain('This works on the database itself, which the profile "prod" does not reach.');
  expect(readdirSync(cwd)).toEqual([]);
});

test("a backup restores: what was there is there again", async () => {
  const { cwd } = await openCommandWorld();
  await runCommand(["queue", "pause"], { cwd });
  expect((await runCommand(["backup", "copy.db"], { cwd })).code).toBe(0);
  await runCommand(["queue", "resume"], { cwd });

  const env = { SERVICE_SECRET_KEY: readFileSync(join(cwd, "posthorn.secret"), "utf8").trim() };
  const paused = async (database: string): Promise<unknown> =>
    JSON.parse(
      (await runCommand(["queue", "status", "--database-url", `sqlite:${database}`], { cwd, env })).stdout,
    ).paused;
  expect(await paused("./posthorn.db")).toBe(false);
  expect(await paused("./copy.db")).toBe(true);
});

test("a backup replaces no file unasked, and refuses what can't be", async () => {
  const cwd = makeFolder();
  expect((await runCommand(["backup", "copy.db"], { cwd })).code).toBe(3);
  await runCommand(["migrate"], { cwd });
  writeFileSync(join(cwd, "copy.db"), "precious");
  expect((await runCommand(["backup", "copy.db"], { cwd })).code).toBe(2);
  expect((await runCommand(["backup", "copy.db", "--yes"], { cwd })).code).toBe(0);
  expect((await runCommand(["backup", "posthorn.db", "--yes"], { cwd })).code).toBe(2);
  const elsewhere = await runCommand(["backup", "x.db"], {
    cwd,
    env: { SERVICE_DATABASE_URL: "postgres://127.0.0.1/x" },
  });
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stderr).toContain("pg_dump");
  expect(readdirSync(cwd).filter((name) => name.includes("partial"))).toEqual([]);
});

test("pausing and resuming are told once in the events", async () => {
  const { cwd } = await openCommandWorld();
  for (const verb of ["pause", "pause", "resume"])
    expect((await runCommand(["queue", verb], { cwd })).code).toBe(0);
  const { stdout } = await runCommand(["queue"], { cwd });
  expect(JSON.parse(stdout)).toEqual({
    due: 0,
    waiting: 0,
    leased: 0,
    oldest_due_at: null,
    paused: false,
    paused_at: null,
    paused_reason: null,
    restored_from: null,
    routes: [],
    workers: [],
    totals: { accepted: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0, suppressed: 0 },
    failures: [],
  });
});

test("the doctor finds a sound folder sound, and makes nothing", async () => {
  const cwd = makeFolder();
  const { code, stdout } = await runCommand(["doctor", "--json"], { cwd });
  expect(code).toBe(0);
  const findings = JSON.parse(stdout) as { check: string; state: string }[];
  expect(findings.filter(({ state }) => state === "broken")).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});

test("the doctor ends with 1 and says what to do where something is broken", async () => {
  const cwd = makeFolder();
  writeFileSync(
    join(cwd, "posthorn.db"),
    "this is no database, but it is long enough to be read as one".repeat(100),
  );
  const { code, stdout } = await runCommand(["doctor"], {
    cwd,
    // Port 1 of loopback: nobody listens.
    env: { SERVICE_SMTP_URL: "smtp://user:opensesame@127.0.0.1:1" },
  });
  expect(code).toBe(1);
  const findings = JSON.parse(stdout) as { check: string; state: string; advice?: string }[];
  expect(findings.filter(({ state }) => state === "broken").map(({ check }) => check)).toEqual([
    "database",
    "mail server",
  ]);
  expect(findings.every(({ state, advice }) => state === "ok" || advice !== undefined)).toBe(true);
  expect(stdout).not.toContain("opensesame");
});

test("a database that can't be reached is told with exit code 7", async () => {
  const { code, stderr } = await runCommand(["queue"], {
    cwd: makeFolder(),
    env: {
      SERVICE_DATABASE_URL: "postgres://u:opensesame@127.0.0.1:1/x",
      SERVICE_SECRET_KEY: randomBytes(48).toString("base64"),
    },
  });
  expect(code).toBe(7);
  expect(stderr).toContain('The database "x" at 127.0.0.1:1 is unavailable: nobody listens there.');
  expect(stderr).not.toContain("opensesame");
});

test.each(["bash", "zsh", "fish"])("the completion for %s knows nouns, verbs and flags", async (shell) => {
  const { code, stdout } = await runCommand(["completion", shell], { cwd: makeFolder() });
  expect(code).toBe(0);
  for (const word of ["doctor", "posthorn queue", "resume", "database-url", "dry-run"])
    expect(stdout).toContain(word);
  expect((await runCommand(["completion", "tcsh"], { cwd: makeFolder() })).code).toBe(2);
});

test("the completion for bash offers verbs, options once they are begun, and where a value belongs what it can be", async () => {
  const cwd = makeFolder();
  const { stdout: script } = await runCommand(["completion", "bash"], { cwd });
  const file = join(cwd, "posthorn.bash");
  const lines: [string, string][] = [
    ["posthorn --port 1 queue r", "resume"],
    ["posthorn queue ", "status pause resume"],
    ["posthorn completion ", "bash zsh fish"],
    ["posthorn completion z", "zsh"],
    ["posthorn queue --dat", "--database-url"],
    ["posthorn queue --database-url ", ""],
    ["posthorn --database-url queue queue r", "resume"],
    ["posthorn --port = 1 queue r", "resume"],
    ["posthorn templates push ", ""],
    ["posthorn templates push --workspace ", String.raw`welcome\ \$\(touch\ ran\)`],
    ["posthorn templates push mail --dry", "--dry-run"],
    ["posthorn templates push --dry-run --act", "--activate"],
    ["posthorn emails list --status s", "scheduled sending sent suppressed"],
    ["posthorn --format js", "json jsonl"],
    // Names are anybody's: they are offered quoted, and nothing of them is run.
    ["posthorn templates show w", String.raw`welcome\ \$\(touch\ ran\)`],
    ["posthorn emails send --workspace 7 --template ", String.raw`welcome\ \$\(touch\ ran\) 7`],
  ];
  const completing = lines.map(
    ([line]) =>
      `COMP_WORDS=(${line.replace(/ $/, ' ""')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _posthorn; echo "\${COMPREPLY[*]}"\n`,
  );
  // In place of the command: one name, and the workspace that it is asked with.
  const names = `posthorn() { echo 'welcome $(touch ran)'; [[ $4 == --workspace ]] && echo "$5"; }`;
  writeFileSync(file, [script, names, ...completing].join("\n"));
  expect(existsSync("/bin/bash")).toBe(true);
  const { execFileSync } = await import("node:child_process");
  const answers = execFileSync("/bin/bash", [file], { encoding: "utf8", cwd }).trimEnd().split("\n");
  expect(answers.map((answer, at) => [lines[at]?.[0], answer])).toEqual(lines);
  expect(existsSync(join(cwd, "ran"))).toBe(false);
});

/** Completes lines in a shell that has the script, with two names in place of the command; what it offers, a line each. */
async function completeIn(shell: "zsh" | "fish", lines: readonly string[]): Promise<string[]> {
  const cwd = makeFolder();
  const { stdout: script } = await runCommand(["completion", shell], { cwd });
  const completing = {
    // Completion without a terminal: what offers words writes them.
    zsh: [
      "compdef() {}; _files() {}",
      `_describe() { local -a all=("\${(@P)2}"); print -r -- \${all%%:*} }`,
      "compadd() { shift; print -r -- $@ }",
      "posthorn() { print -l 'welcome $(touch ran)' \"$*[4,-1]\" }",
      script,
      ...lines.map(
        (line) => `words=(${line.replace(/ $/, ' ""')}); CURRENT=$#words; PREFIX=$words[-1]; _posthorn`,
      ),
    ],
    fish: [
      script,
      "function posthorn; printf '%s\\n' 'welcome $(touch ran)' \"$argv[4..-1]\"; end",
      ...lines.map((line) => `echo (complete -C '${line}' | string replace -r '\\t.*' '' | string join ' ')`),
    ],
  }[shell];
  const file = join(cwd, `posthorn.${shell}`);
  writeFileSync(file, completing.join("\n"));
  const { execFileSync } = await import("node:child_process");
  const answers = execFileSync(shell, [...(shell === "zsh" ? ["-f"] : ["--no-config"]), file], {
    encoding: "utf8",
    cwd,
    env: { ...process.env, HOME: cwd },
  });
  expect(existsSync(join(cwd, "ran"))).toBe(false);
  return answers.trimEnd().split("\n");
}

const isThere = (shell: string): boolean => existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`);

test.runIf(isThere("zsh"))(
  "the completion for zsh, sourced or found, offers what is there with its scope",
  async () => {
    const lines = [
      "posthorn --dev queue ",
      "posthorn templates show --workspace 7 ",
      "posthorn emails list --status ",
      "posthorn queue --",
    ];
    const [verbs, name, states, flags] = await completeIn("zsh", lines);
    expect(verbs).toBe("status pause resume");
    expect(name).toBe("welcome $(touch ran) --workspace 7");
    expect(states).toContain("sending");
    expect(flags).toContain("--environment-file");
  },
);

test.runIf(isThere("fish"))("the completion for fish offers what is there with its scope", async () => {
  const lines = [
    "posthorn --port 1 queue ",
    "posthorn --dev templates show --workspace 7 ",
    "posthorn emails list --status s",
    "posthorn plans assign one ",
  ];
  const [verbs, name, states, files] = await completeIn("fish", lines);
  expect(verbs).toBe("pause resume status");
  expect(name).toBe("welcome $(touch ran) --dev --workspace 7");
  expect(states).toBe("scheduled sending sent suppressed");
  expect(files, "a second argument of a verb that takes one has no names").toBe("posthorn.fish");
});
