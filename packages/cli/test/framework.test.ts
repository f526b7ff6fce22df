import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "@posthorn/core/version";
import stringWidth from "fast-string-width";
import { describe, expect, test } from "vitest";
import { findFreePort } from "../../storage-postgres/test/find-free-port.ts";
import { makeFolder, runCommand, runProcess, startCommand } from "./run-command.ts";

test("prints its version", async () => {
  expect(await runProcess(["--version"], { cwd: makeFolder() })).toEqual({
    code: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
});

test("shows help with every command, and each has its module", async () => {
  const cwd = makeFolder();
  const { code, stdout } = await runProcess(["--help"], { cwd });
  expect(code).toBe(0);
  const names = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name ?? "");
  expect(names).toEqual(expect.arrayContaining(["serve", "worker", "demo", "dev", "doctor", "migrate"]));
  const helps = await Promise.all(
    names.map(async (name) => ({ name, ...(await runCommand([name, "--help"], { cwd })) })),
  );
  expect(helps.filter(({ code }) => code !== 0).map(({ name }) => name)).toEqual([]);
  // In a pipe, too: it may end in a pager.
  const lines = [stdout, ...helps.map(({ stdout }) => stdout)].flatMap((text) => text.split("\n"));
  expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
});

test("help names the default of each setting that has one", async () => {
  const { stdout } = await runCommand(["serve", "--help"], { cwd: makeFolder() });
  const text = stdout.replace(/\s+/g, " ");
  for (const preset of ["sqlite:./posthorn.db", "127.0.0.1", "8080", "info"])
    expect(text).toContain(`(default: ${preset}) (SERVICE_`);
});

test.each([["--help"], ["demo"], ["completion", "fish"], ["config"]])(
  "%s: a reader that closes the pipe early is no error",
  async (...args) => {
    const command = startCommand(args, { cwd: makeFolder() });
    command.child.stdout?.destroy();
    expect(await command.ended).toMatchObject({ code: 0, stderr: "" });
  },
);

test.skipIf(!existsSync("/dev/full"))(
  "a key that nobody sees is not made if that is known before, and a failure if not",
  async () => {
    const cwd = makeFolder();
    const run = (...args: string[]) => runCommand(args, { cwd });
    await run("migrate");
    await run("users", "ensure", "1", "--email", "ada@example.com", "--name", "Ada");
    await run("workspaces", "create", "Shop", "--owner", "ada@example.com");
    const create = (name: string, redirection: string) =>
      runProcess(["api-keys", "create", name], {
        cwd,
        under: ["sh", "-c", `exec "$@" ${redirection}`, "sh"],
      });
    for (const redirection of [">&-", "> /dev/null"])
      expect(await create("unseen", redirection)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("nothing was done"),
      });
    const full = await create("lost", "> /dev/full");
    const unread = startCommand(["api-keys", "create", "unread"], { cwd });
    unread.child.stdout?.destroy();
    const { code, stderr } = await unread.ended;
    expect([full.code, code]).toEqual([1, 1]);
    for (const told of [full.stderr, stderr]) {
      expect(told.match(/^error: /gm)).toHaveLength(1);
      expect(told).toContain("shown only once could not be written");
      expect(told).toContain("posthorn api-keys list");
    }
    const { stdout } = await run("api-keys", "list", "--json");
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(["unread", "lost"]);
  },
);

describe.skipIf(!existsSync("/dev/full"))("on a full disk", () => {
  const into = (stream: number): string[] => ["sh", "-c", `exec "$@" ${stream}> /dev/full`, "sh"];

  test.each(["config", "--help"])("%s: an output that can't be written is a failure", async (asked) => {
    const ended = await runProcess([asked], { cwd: makeFolder(), under: into(1) });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^error: Standard output .+ the disk is full\.\n(?:See .+\n)?$/);
  });

  test("a log that can't be written does not stop the service", async () => {
    const port = await findFreePort();
    const served = startCommand(["serve"], {
      cwd: makeFolder(),
      env: { SERVICE_PORT: String(port), SERVICE_SMTP_URL: "capture:", SERVICE_LOG_LEVEL: "debug" },
      under: into(2),
    });
    const ask = (path: string): Promise<number> =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(() => ask("/readyz")).toBe(200);
    // Refusals are logged at this level.
    for (const _ of Array(3)) expect(await ask("/api/v1/users/me")).toBe(401);
    expect(await ask("/readyz")).toBe(200);
    served.child.kill("SIGTERM");
    expect((await served.ended).code).toBe(0);
  });
});

test("an unknown command and an unknown option are usage errors", async () => {
  const cwd = makeFolder();
  expect(await runProcess(["sreve"], { cwd })).toMatchObject({ code: 2, stdout: "" });
  expect(await runProcess(["migrate", "--nope"], { cwd })).toMatchObject({ code: 2, stdout: "" });
  const { stderr } = await runProcess(["sreve"], { cwd, env: { FORCE_COLOR: "1" } });
  expect(stderr).toContain("\u001b[31merror:\u001b[39m unknown command 'sreve'");
});

test.each([
  [["help", "emails", "send"], "Usage: posthorn emails send"],
  [["--format", "json", "help", "emails"], "Usage: posthorn emails "],
  [["help"], "Usage: posthorn [options] [command]"],
])("%j shows the help of what it names", async (args, usage) => {
  const { code, stdout } = await runCommand(args, { cwd: makeFolder() });
  expect([code, stdout]).toEqual([0, expect.stringContaining(usage)]);
});

test.each([
  [["help", "sreve", "--json"], "unknown command 'sreve' (Did you mean posthorn serve?)"],
  [["sreve", "--help", "--json"], "unknown command 'sreve' (Did you mean posthorn serve?)"],
  [["--dev", "--profile", "prod", "emails", "--json"], "cannot be used with option '--dev'"],
  [["events", "list", "--since", "99999d", "--json"], "It must be 1970-01-01 or later."],
  [["serve", "--prot", "1", "--json"], "unknown option '--prot' (Did you mean --port?)"],
  [
    ["webhooks", "create", "https://a.example", "--events", "email.sent", "--json"],
    "(Did you mean --event?)",
  ],
  [
    ["webhooks", "create", "--url", "https://a.example", "--event", "email.sent", "--json"],
    "unknown option '--url' (It is an argument: posthorn webhooks create <url>)",
  ],
  [["completion", "csh", "--json"], "'csh' is no <shell>. Allowed choices are bash, zsh, fish."],
  [["completion", "--json"], "missing required argument 'shell' (Choices are bash, zsh, fish.)"],
  [["webhooks", "create", "https://a.example", "--json"], "required option '--event <type>' not specified"],
  [["sreve", "--json"], "unknown command 'sreve' (Did you mean posthorn serve?)"],
  [["migrate", "--nope", "--format", "ndjson"], "unknown option '--nope'"],
  [
    ["users", "set-password", "ada", "--password", "x", "--json"],
    "unknown option '--password' (Did you mean --password-stdin?)",
  ],
  [
    ["emails", "list", "--format=json", "--size", "1000"],
    "option '--size <number>' argument '1000' is invalid.",
  ],
  [["emails", "shw", "--json"], "(Did you mean posthorn emails show?)"],
  [["send", "--json"], "(Did you mean posthorn emails send, posthorn batches send?)"],
  [["login", "--json"], "(Did you mean posthorn profiles login?)"],
  [["keys", "create", "--json"], "(Did you mean posthorn api-keys?)"],
  [["users", "add", "--json"], "(Did you mean posthorn users create?)"],
  [["domains", "rm", "--json"], "(Did you mean posthorn domains remove?)"],
  [["users", "invite", "--json"], "(Did you mean posthorn members invite?)"],
  [["version", "--json"], "(Did you mean posthorn --version?)"],
  [["logs", "--json"], "(Did you mean posthorn events tail?)"],
  [["start", "--json"], "(Did you mean posthorn serve?)"],
  [["queue", "stat", "--json"], "(Did you mean posthorn queue status?)"],
  [["temp", "list", "--json"], "(Did you mean posthorn templates?)"],
  [["key", "list", "--json"], "(Did you mean posthorn api-keys?)"],
  [["serve", "--vers", "--json"], "unknown option '--vers' (Did you mean --version?)"],
  [["sned", "--json"], "(Did you mean posthorn emails send, posthorn batches send?)"],
  [["retention", "zzz", "--json"], '"zzz" is not a command of retention. There are: list, run.'],
  [["config", "show", "port", "--json"], "too many arguments for 'show'. Expected 0 arguments but got 1"],
  [["config", "set", "--json"], "(Settings come from flags and the environment: posthorn config show"],
  [["config", "get", "--json"], '"get" is not a command of config. There are: show, '],
])("%j: usage errors are JSON, too, where JSON is asked for", async (args, message) => {
  const { code, stdout, stderr } = await runCommand(args, { cwd: makeFolder() });
  expect([code, stdout]).toEqual([2, ""]);
  expect(JSON.parse(stderr)).toEqual({
    error: { code: "usage", message: expect.stringContaining(message), hint: "Add --help to see the usage." },
  });
});

test("where no posthorn dev ran, --dev suggests to run it, and not to make another database", async () => {
  const { code, stderr } = await runCommand(["--dev", "emails"], { cwd: makeFolder() });
  expect([code, stderr.split("\n")[1]]).toEqual([3, expect.stringMatching(/run it here: posthorn dev$/)]);
});

test("a suggested command names the settings that were named", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "shop.env"), "SERVICE_DATABASE_URL=sqlite:./shop.db\n");
  const { stderr } = await runCommand(["emails", "--environment-file", "shop.env"], { cwd });
  expect(stderr).toContain("posthorn --environment-file shop.env migrate");
});

test("refuses --port and --host on smtp-servers, and names the mail server's options", async () => {
  const cwd = makeFolder();
  for (const [flag, value] of [
    ["--port", "2525"],
    ["--host", "mail.example"],
  ] as const) {
    const line = ["smtp-servers", "create", "relay", "mail.example", flag, value];
    const { code, stderr } = await runCommand(line, { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`or --smtp-${flag.slice(2)}.`)]);
  }
});

test("a bad setting stops the start with its name, the error and an example", async () => {
  const cwd = makeFolder();
  const { code, stderr } = await runCommand(["serve"], { cwd, env: { SERVICE_PORT: "80a" } });
  expect(code).toBe(2);
  expect(stderr).toContain("SERVICE_PORT must be a whole number from 0 to 65535");
  expect(stderr).toContain("SERVICE_PORT=8080");
  const json = await runCommand(["serve", "--json", "--port", "x"], { cwd });
  expect(JSON.parse(json.stderr)).toMatchObject({
    error: { code: "usage", message: expect.stringContaining("--port") },
  });
});

test("errors of the service's configuration name the setting", async () => {
  const cwd = makeFolder();
  const sender = await runCommand(["queue"], { cwd, env: { SERVICE_DEFAULT_SENDER: "nobody" } });
  expect(sender.code).toBe(2);
  expect(sender.stderr).toContain("SERVICE_DEFAULT_SENDER must be");
  const key = await runCommand(["queue"], { cwd, env: { SERVICE_SECRET_KEY: "a".repeat(40) } });
  expect(key.code).toBe(2);
  expect(key.stderr).toContain("SERVICE_SECRET_KEY");
  expect(key.stderr).not.toContain("aaaa");
});

test("a secret key that is none is reported with the file that it is in", async () => {
  const cwd = makeFolder();
  await runCommand(["users", "list"], { cwd });
  writeFileSync(join(cwd, "posthorn.secret"), "short");
  const { code, stderr } = await runCommand(["users", "list"], { cwd });
  expect(code).toBe(5);
  expect(stderr).toContain(`The secret key in ${join(cwd, "posthorn.secret")} must be at least 32`);
});

test("does not repeat an invalid secret", async () => {
  const { code, stderr } = await runCommand(["config", "show"], {
    cwd: makeFolder(),
    env: { SERVICE_SMTP_URL: "http://user:opensesame@host" },
  });
  expect(code).toBe(2);
  expect(stderr).not.toContain("opensesame");
});

test("a flag overrides the environment, which overrides the file, and secrets are masked", async () => {
  const cwd = makeFolder();
  writeFileSync(
    join(cwd, "posthorn.config.json"),
    `\ufeff${JSON.stringify({ port: 1, host: "::1", log_level: "warn" })}`,
  );
  const env = {
    SERVICE_PORT: "2",
    SERVICE_HOST: "127.0.0.9",
    SERVICE_SECRET_KEY: "a-key-that-nobody-may-see",
    SERVICE_SMTP_URL: "smtp://user:opensesame@mail.example.com",
    SERVICE_DATABASE_URL: "postgres://posthorn:opensesame@db.example.com/mail",
  };
  const { code, stdout, stderr } = await runCommand(["config", "show", "--origin", "--port", "3"], {
    cwd,
    env,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    port: { value: 3, origin: "flag" },
    host: { value: "127.0.0.9", origin: "environment", environment: "SERVICE_HOST" },
    log_level: { value: "warn", origin: "file" },
    webhook_max_retries: { value: 3, origin: "default" },
    secret_key: { value: "••••••", origin: "environment" },
    database_url: { value: "postgres://posthorn:••••••@db.example.com/mail" },
  });
  expect(stdout + stderr).not.toMatch(/opensesame|nobody-may-see/);
  const table = await runCommand(["config", "show", "--format", "table"], { cwd, env });
  expect(table.stdout).toMatch(/^SETTING +VALUE\nSERVICE_DATABASE_URL +postgres:/);
});

test.each([
  ["prot", 'Did you mean "port"?'],
  ["colour", "The settings are: database_url, "],
])(
  "refuses a file with the unknown setting %s, and says which was meant, or which there are",
  async (name, hint) => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, "posthorn.config.json"), JSON.stringify({ [name]: 1 }));
    const { code, stderr } = await runCommand(["config"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(`unknown setting "${name}"`);
    expect(stderr).toContain(hint);
  },
);

test("a hint in JSON acts on what the options named, as on a terminal", async () => {
  const cwd = makeFolder();
  const asked = ["emails", "list", "--database-url", "sqlite:other.db"];
  const hint = "posthorn --database-url sqlite:other.db migrate";
  const json = await runCommand([...asked, "--json"], { cwd });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { hint: expect.stringContaining(hint) } });
  expect((await runCommand(asked, { cwd })).stderr).toContain(hint);
});
