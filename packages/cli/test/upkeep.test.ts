import { randomBytes } from "node:crypto";
import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandWorld } from "./command-world.ts";
import { makeFolder, runCommand, runProcess } from "./run-command.ts";

test("migrate lists what is pending without creating a file, runs it, and then has nothing to do", async () => {
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
  expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(status.stdout));
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
])("with a profile, commands on the database itself refuse and do nothing: %s %s", async (...args) => {
  const cwd = makeFolder();
  const { code, stderr } = await runCommand(args, { cwd, env: { SERVICE_PROFILE: "prod" } });
  expect(code).toBe(2);
  expect(stderr).toContain('This works on the database itself, which the profile "prod" does not reach.');
  expect(readdirSync(cwd)).toEqual([]);
});

test("a backup can be restored completely", async () => {
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

test("a backup overwrites no file without --yes, and refuses impossible sources", async () => {
  const cwd = makeFolder();
  expect((await runCommand(["backup", "copy.db"], { cwd })).code).toBe(3);
  await runCommand(["migrate"], { cwd });
  writeFileSync(join(cwd, "copy.db"), "precious");
  expect((await runCommand(["backup", "copy.db"], { cwd })).code).toBe(2);
  expect((await runCommand(["backup", "copy.db", "--yes"], { cwd })).code).toBe(0);
  expect((await runCommand(["backup", "posthorn.db", "--yes"], { cwd })).code).toBe(2);
  // The second is a file.
  for (const place of ["missing", "copy.db"]) {
    const missing = await runCommand(["backup", `${place}/copy.db`], { cwd });
    expect(missing.code).toBe(3);
    expect(missing.stderr).toContain(`There is no folder ${join(cwd, place)}.`);
  }
  const folder = await runCommand(["backup", ".", "--yes"], { cwd });
  expect(folder).toMatchObject({ code: 2, stderr: expect.stringContaining(". is a folder.") });
  // In a process whose standard output is a pipe: that of the tests may be a file, which the copy would replace.
  for (const name of ["null", "stdout"]) {
    symlinkSync(`/dev/${name}`, join(cwd, name));
    const device = await runProcess(["backup", name, "--yes"], { cwd });
    expect(device).toMatchObject({ code: 2, stderr: expect.stringContaining(`${name} is no file`) });
  }
  for (const ofFile of [
    ["backup", "x.db"],
    ["config", "replace-secret-key", "--yes"],
    ["copy", "--to", "sqlite:x.db"],
  ])
    expect(await runCommand([...ofFile, "--database-url", "sqlite:."], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${cwd} is a folder.`),
    });
  const elsewhere = await runCommand(["backup", "x.db"], {
    cwd,
    env: { SERVICE_DATABASE_URL: "postgres://127.0.0.1/x" },
  });
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.stderr).toContain("pg_dump --format=custom --schema=posthorn");
  expect(elsewhere.stderr).toContain("posthorn restore-check");
  expect(readdirSync(cwd).filter((name) => name.includes("partial"))).toEqual([]);
});

test("a backup by another name of the database is refused, and one by a link fills the file that it leads to", async () => {
  const [cwd, elsewhere] = [makeFolder(), makeFolder()];
  await runCommand(["migrate"], { cwd });
  writeFileSync(join(cwd, "posthorn.secret"), "a key");
  for (const [from, to = from] of [["", "here"], ["posthorn.db"], ["posthorn.secret"]] as const)
    symlinkSync(join(cwd, from), join(elsewhere, to));
  linkSync(join(cwd, "posthorn.db"), join(elsewhere, "second.db"));
  for (const name of ["here/posthorn.db", "second.db", "posthorn.secret", "here/posthorn.db-wal"])
    expect(await runCommand(["backup", name, "--yes"], { cwd: elsewhere })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/The copy can't be the database itself\.|\w belongs to the database/),
    });
  expect(statSync(join(cwd, "posthorn.db")).ino).toBe(statSync(join(elsewhere, "second.db")).ino);
  symlinkSync(join("here", "monday.db"), join(elsewhere, "newest.db"));
  for (const yes of [[], ["--yes"]])
    expect((await runCommand(["backup", join(elsewhere, "newest.db"), ...yes], { cwd })).code).toBe(0);
  expect(readlinkSync(join(elsewhere, "newest.db"))).toBe(join("here", "monday.db"));
  expect(statSync(join(cwd, "monday.db")).size).toBeGreaterThan(0);
});

test("a database below a file is told by what is in its way", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "shop"), "");
  expect(await runCommand(["migrate", "--database-url", "sqlite:shop/posthorn.db"], { cwd })).toMatchObject({
    code: 3,
    stderr: `error: The database ${join(cwd, "shop/posthorn.db")} is unavailable: its folder is a file.
Move that file away, or name another place in --database-url.
`,
  });
});

test("resuming cancels what was due before a time only once that is confirmed", async () => {
  const { cwd } = await openCommandWorld();
  await runCommand(["queue", "pause"], { cwd });
  const drop = ["queue", "resume", "--drop-due-before", "2030-01-31T08:00:00Z"];
  const asked = await runCommand(drop, { cwd });
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("were due before 2030-01-31T08") });
  const isPaused = async (): Promise<unknown> =>
    JSON.parse((await runCommand(["queue"], { cwd })).stdout).paused;
  expect(await isPaused()).toBe(true);
  expect((await runCommand([...drop, "--yes"], { cwd })).code).toBe(0);
  expect(await isPaused()).toBe(false);
});

test("repeated pausing and resuming is one event each", async () => {
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
    webhooks: { pending: 0, oldest_due_at: null, endpoints: [] },
    workers: [],
    totals: { accepted: 0, delivered: 0, deferred: 0, bounced: 0, complained: 0, suppressed: 0 },
    failures: [],
  });
});

test("a pause of one route is told as such, and resuming all leaves it", async () => {
  const { cwd } = await openCommandWorld();
  const told = async (...args: string[]): Promise<string> =>
    (await runCommand(["queue", ...args], { cwd })).stderr;
  const route = ["--route", "w:7"];
  expect(await told("pause", ...route)).toBe("✓ Delivery on route w:7 is paused.\n");
  expect(await told("resume")).toContain("Delivery was not paused.");
  expect(await told("pause", ...route)).toBe("✓ Delivery on route w:7 was already paused.\n");
  expect(await told("resume", ...route)).toBe("✓ Delivery on route w:7 is resumed.\n");
  const unless = "If its workspace paused the campaign, it stays so: posthorn campaigns resume.";
  await told("pause", "--route", "c:7:3");
  expect(await told("resume", "--route", "c:7:3")).toContain(`Delivery on route c:7:3 is resumed. ${unless}`);
  expect(await told("resume", "--route", "c:7:3")).toContain(`was not paused. ${unless} To see routes`);
});

test("the doctor finds no fault in a healthy folder, and creates nothing", async () => {
  const cwd = makeFolder();
  const { code, stdout } = await runCommand(["doctor", "--json"], { cwd });
  expect(code).toBe(0);
  const findings = JSON.parse(stdout) as { check: string; state: string }[];
  expect(findings.filter(({ state }) => state === "broken")).toEqual([]);
  expect(readdirSync(cwd)).toEqual([]);
});

test("a misspelt setting in the environment is a warning, and the command continues", async () => {
  const { cwd } = await openCommandWorld();
  const env = { SERVICE_SMTP_URL: "capture:", SERVICE_PRT: "81" };
  const told = "SERVICE_PRT in the environment is no setting, and is ignored";
  for (const args of [
    ["config", "show"],
    ["worker", "--once"],
  ]) {
    const { code, stderr } = await runCommand(args, { cwd, env });
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${told}. Did you mean SERVICE_PORT?`)]);
  }
});

test("the doctor names every setting that is misspelt, missing or risky", async () => {
  const env = {
    SERVICE_SMTP_URL: "smtp://127.0.0.1:1",
    SERVICE_PRT: "81",
    SERVICE_HSOT: "::",
    SERVICE_WEBHOOK_ALLOW_PRIVATE: "true",
  };
  const { stdout } = await runCommand(["doctor"], { cwd: makeFolder(), env });
  const findings = JSON.parse(stdout) as { check: string; state: string; found: string }[];
  expect(findings.filter(({ check }) => check === "configuration")).toMatchObject(
    [
      "SERVICE_PRT in the",
      "SERVICE_HSOT in the",
      "SERVICE_DEFAULT_SENDER is not",
      "SERVICE_BASE_URL is not",
      "SERVICE_WEBHOOK_ALLOW_PRIVATE is on",
    ].map((begin) => ({ state: "warning", found: expect.stringContaining(begin) })),
  );
});

test("the doctor warns of a base URL without TLS", async () => {
  const env = { SERVICE_SMTP_URL: "smtp://127.0.0.1:1", SERVICE_BASE_URL: "http://mail.shop.example" };
  const { stdout } = await runCommand(["doctor"], { cwd: makeFolder(), env });
  expect(stdout).toContain('"SERVICE_BASE_URL is not https: mailbox providers take no unsubscribe links');
});

test("the doctor exits with 1 and says what to do if something is broken", async () => {
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
  expect(findings.find(({ check }) => check === "database")?.advice).toMatch(/^Restore a backup/);
  expect(stdout).not.toContain("opensesame");
});

test("the doctor goes on after a key that can't be one, and where the database's folder is missing", async () => {
  const { cwd } = await openCommandWorld();
  writeFileSync(join(cwd, "posthorn.secret"), "");
  const findingsOf = async (env: Record<string, string>) => {
    const { stdout } = await runCommand(["doctor"], { cwd, env: { SERVICE_SMTP_URL: "capture:", ...env } });
    return JSON.parse(stdout) as { check: string; state: string; found: string }[];
  };
  const damaged = await findingsOf({});
  expect(damaged).toContainEqual(
    expect.objectContaining({
      check: "secret key",
      state: "broken",
      found: expect.stringContaining("must be at least 32 characters long; it has 0"),
    }),
  );
  const missing = await findingsOf({ SERVICE_DATABASE_URL: "sqlite:none/there/posthorn.db" });
  for (const findings of [damaged, missing])
    expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(["database", "disk"]));
});

test("the doctor's advice names the option where the database was given by it", async () => {
  const { stdout } = await runCommand(["--database-url", "sqlite:none/there/posthorn.db", "doctor"], {
    cwd: makeFolder(),
  });
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ check: "database", advice: "Create its folder, or correct --database-url" }),
  );
});

test("an unreachable database is reported with exit code 7", async () => {
  const { code, stderr } = await runCommand(["queue"], {
    cwd: makeFolder(),
    env: {
      SERVICE_DATABASE_URL: "postgres://u:opensesame@127.0.0.1:1/x",
      SERVICE_SECRET_KEY: randomBytes(48).toString("base64"),
    },
  });
  expect(code).toBe(7);
  expect(stderr).toContain('The database "x" at 127.0.0.1:1 is unavailable: nothing listens at its address.');
  expect(stderr).not.toContain("opensesame");
});
