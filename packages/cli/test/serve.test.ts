import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openCommandWorld } from "./command-world.ts";
import { makeFolder, type RunningCommand, runCommand, startCommand } from "./run-command.ts";

const env = { SERVICE_SMTP_URL: "capture:" };

async function serve(
  args: string[] = [],
  cwd = makeFolder(),
  more: Record<string, string> = {},
): Promise<{ server: RunningCommand; url: string }> {
  const server = startCommand(["serve", "--port", "0", ...args], { cwd, env: { ...env, ...more } });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
  return { server, url };
}

test("serves until SIGTERM, and exits with 0", async () => {
  const { server, url } = await serve();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/docs`)).status).toBe(200);
  expect((await fetch(`${url}/inbox`)).status).toBe(200);
  server.child.kill("SIGTERM");
  const { code, stdout, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stdout).toBe("");
  expect(stderr).toContain(`${url}/docs`);
});

test("each line of serve and worker is JSON where it is no terminal, and their start is told at any level", async () => {
  const cwd = makeFolder();
  const more = { SERVICE_LOG_LEVEL: "error", SERVICE_METRIC_PORT: "1" };
  const { server, url } = await serve(["--no-worker"], cwd, more);
  const worker = startCommand(["worker"], { cwd, env: { ...env, ...more } });
  onTestFinished(() => void worker.child.kill("SIGKILL"));
  await Promise.all([server.waitForStderr(/Nothing is delivered/), worker.waitForStderr(/Delivering/)]);
  for (const { child } of [server, worker]) child.kill("SIGTERM");
  const read = async ({ ended }: RunningCommand) =>
    (await ended).stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { level: string; msg: string; time: string })
      .map(({ level, msg, time }) => [level, msg, Date.parse(time) > 0]);
  const unknown = [
    "warn",
    expect.stringContaining("SERVICE_METRIC_PORT in the environment is no setting"),
    true,
  ];
  expect(await read(server)).toEqual([
    unknown,
    ["info", `Listening on ${url} `, true],
    ["info", `Reference: ${url}/docs `, true],
    ["info", expect.stringMatching(/^Inbox: http/), true],
    ["info", expect.stringContaining("Nothing is delivered by this process"), true],
  ]);
  expect(await read(worker)).toEqual([unknown, ["info", "Delivering queued e-mails.", true]]);
});

test.each(["SIGHUP", "SIGQUIT"] as const)("stops gracefully at %s", async (name) => {
  const { server } = await serve();
  server.child.kill(name);
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('"msg":"stopping');
});

test("exits with 130 after Ctrl-C", async () => {
  const { server } = await serve();
  server.child.kill("SIGINT");
  expect((await server.ended).code).toBe(130);
});

test("finishes a request that is under way, also when SIGTERM comes again, and exits at once on a second Ctrl-C", async () => {
  const { server, url } = await serve();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  // A body that never arrives keeps the request open.
  await new Promise<void>((resolve) => {
    const head =
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9";
    socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n`);
    socket.once("data", () => resolve());
  });
  server.child.kill("SIGTERM");
  await server.waitForStderr(/"msg":"stopping/);
  expect(server.child.exitCode).toBeNull();
  server.child.kill("SIGTERM");
  server.child.kill("SIGINT");
  // Signals arrive in no fixed order: the process has received all of them once it responds to the refused connection.
  const ask = (): Promise<unknown> => fetch(`${url}/healthz`).then(({ status }) => status);
  // One that waits already to be accepted is answered.
  await expect.poll(() => ask().catch(() => "refused")).toBe("refused");
  expect(server.child.exitCode).toBeNull();
  await expect
    .poll(() => {
      server.child.kill("SIGINT");
      return server.child.exitCode;
    })
    .toBe(130);
});

test.each([
  ["at another address", ["--host", "0.0.0.0"]],
  ["below a public name, as a proxy may not say that it is one", ["--base-url", "https://mail.shop.example"]],
])("shows no captured e-mails %s", async (_, args) => {
  const { url, server } = await serve(args);
  expect((await fetch(`${url}/inbox`)).status).toBe(404);
  server.child.kill("SIGTERM");
  expect((await server.ended).stderr).not.toContain(`${url}/inbox`);
});

test("reports a port that is in use in one line, with what to do", async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port));
  });
  onTestFinished(() => void taken.close());
  const { code, stderr } = await runCommand(["serve", "--port", String(port)], { cwd: makeFolder(), env });
  expect(code).toBe(1);
  expect(stderr).toContain("the port is taken");
  expect(stderr).toContain("--port");
});

test("reports an address that this machine does not have, also where it takes a free port", async () => {
  const options = { cwd: makeFolder(), env };
  const { code, stderr } = await runCommand(["serve", "--port", "0", "--host", "192.0.2.7"], options);
  expect(code).toBe(1);
  expect(stderr).toContain("can't listen on 192.0.2.7:0: this machine has no such address");
});

test("without a mail server nothing starts, and nothing is created", async () => {
  const cwd = makeFolder();
  const refused = await Promise.all(
    [["serve"], ["worker"], ["worker", "--once"]].map((args) => runCommand(args, { cwd })),
  );
  expect(refused.map(({ code }) => code)).toEqual([2, 2, 2]);
  for (const { stderr } of refused) expect(stderr).toContain("SERVICE_SMTP_URL=capture:");
  expect(readdirSync(cwd)).toEqual([]);
});

test("dev creates a workspace of its own whose curl line works, shows captured e-mails, and reuses it next time", async () => {
  const cwd = makeFolder();
  // Settings of a production shell: nothing listens at these addresses.
  const production = {
    SERVICE_DATABASE_URL: "postgres://u:opensesame@127.0.0.1:1/mail",
    SERVICE_SMTP_URL: "smtp://127.0.0.1:1",
    // Only the service's user may read it.
    SERVICE_SECRET_KEY_FILE: "/run/secrets/no-such-key",
    SERVICE_BASE_URL: "mail.shop.example",
    SERVICE_PROFILE: "prod",
  };
  const first = startCommand(["dev", "--port", "0"], { cwd, env: production });
  onTestFinished(() => void first.child.kill("SIGKILL"));
  const [, line = ""] = await first.waitForStderr(/(curl .*)\n/);
  const [, url = "", key = "", body = ""] =
    /^curl -sS (\S+) -H "Authorization: (Bearer \S+)".* -d '(.*)'$/.exec(line) ?? [];
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: key, "content-type": "application/json" },
    body,
  });
  expect(answer.status).toBe(202);
  const [, page = ""] = await first.waitForStderr(/mail to ada@example\.com: Welcome, Ada! {2}(\S+)/);
  expect((await fetch(page)).status).toBe(200);
  const refused = await fetch(url.replace("send-template", "send?key=secret"), {
    method: "POST",
    headers: { authorization: key, "content-type": "application/json" },
    body: '{"to": ["ada@example.com"]}',
  });
  expect(refused.status).toBe(400);
  await first.waitForStderr(/\d POST \/api\/v1\/emails\/send 400: subject: is required \(and 1 more\)\n/);
  await fetch(url.replace("/api/v1", ""));
  await first.waitForStderr(/\d GET \/emails\/send-template 404: There is no path/);
  first.child.kill("SIGINT");
  const { code, stdout, stderr } = await first.ended;
  expect(code).toBe(130);
  expect(stderr).toContain(
    "SERVICE_DATABASE_URL, SERVICE_SECRET_KEY, SERVICE_SMTP_URL, SERVICE_BASE_URL, SERVICE_PROFILE.",
  );
  expect(stderr).not.toContain("opensesame");
  const made = JSON.parse(stdout) as { login: { email: string; password: string }; api_key: string };
  expect(`Bearer ${made.api_key}`).toBe(key);
  expect(readdirSync(cwd)).toEqual([".posthorn"]);

  mkdirSync(join(cwd, "mail"));
  writeFileSync(join(cwd, "mail", "hello.txt"), "Hello");
  writeFileSync(join(cwd, "mail", "hello.json"), '{"subject": "Hello"}');
  const second = startCommand(["dev", "mail", "--port", "0"], { cwd, env: production });
  onTestFinished(() => void second.child.kill("SIGKILL"));
  const [, shown = ""] = await second.waitForStderr(/pushed template hello: .*? {2}(\S+)#hello/);
  expect(await (await fetch(`${shown}.json`)).json()).toMatchObject({ templates: [{ name: "hello" }] });
  second.child.kill("SIGTERM");
  const again = await second.ended;
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({ login: made.login, api_key: made.api_key });

  const others = await runCommand(["--dev", "emails", "list"], { cwd, env: production });
  expect(JSON.parse(others.stdout)).toMatchObject([{ subject: "Welcome, Ada!", status: "sent" }]);
  // Links of what they send lead to the server, whatever its port was.
  const config = await runCommand(["--dev", "config", "show"], { cwd, env: production });
  expect(JSON.parse(config.stdout)).toMatchObject({ base_url: `${JSON.parse(again.stdout).url}/` });
  const doctor = await runCommand(["--dev", "doctor"], { cwd, env: { DATABASE_URL: "postgres://db/shop" } });
  expect(JSON.parse(doctor.stdout)).toContainEqual({
    check: "configuration",
    state: "ok",
    found: "every setting is valid",
  });
});

test("dev refuses a database that it did not create", async () => {
  const { cwd, posthorn } = await openCommandWorld();
  await posthorn.users.create({
    name: "Ada",
    email: "ada@example.com",
    password: "a long and odd passphrase",
  });
  const dev = await runCommand(["dev", "--port", "0", "--database-url", "sqlite:./posthorn.db"], { cwd });
  expect(dev.code).toBe(5);
  expect(dev.stderr).toContain("was not made by posthorn dev");
  expect((await posthorn.users.list({})).total).toBe(1);
});

test("dev makes no tables in another program's SQLite file", async () => {
  const cwd = makeFolder();
  const database = new DatabaseSync(join(cwd, "shop.db"));
  database.exec("create table orders (article text)");
  database.close();
  const before = readFileSync(join(cwd, "shop.db"));
  const line = ["dev", "--port", "0", "--database-url", "sqlite:./shop.db"];
  const { code, stderr } = await runCommand(line, { cwd });
  expect([code, stderr]).toEqual([5, expect.stringContaining("was not made by posthorn dev")]);
  expect(readFileSync(join(cwd, "shop.db"))).toEqual(before);
});

test("dev refuses a file in place of the folder of templates, before it makes anything", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "mail.html"), "Hi");
  const { code, stderr } = await runCommand(["dev", "mail.html"], { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining("error: mail.html is not a folder.")]);
  expect(readdirSync(cwd)).toEqual(["mail.html"]);
});

test("dev makes the database that its option names, whatever the environment says, and goes on in it", async () => {
  const cwd = makeFolder();
  const env = { SERVICE_DATABASE_URL: "sqlite:./real.db" };
  for (const _ of ["makes it", "goes on"]) {
    const dev = startCommand(["dev", "--port", "0", "--database-url", "sqlite:./own.db"], { cwd, env });
    onTestFinished(() => void dev.child.kill("SIGKILL"));
    await dev.waitForStderr(/Ctrl-C ends it/);
    dev.child.kill("SIGTERM");
    expect((await dev.ended).code).toBe(0);
    expect(readdirSync(cwd)).toContain("own.db");
    expect(readdirSync(cwd)).not.toContain("real.db");
  }
});

test("a worker delivers e-mails that a server without one accepted", async () => {
  const cwd = makeFolder();
  const { server, url } = await serve(["--no-worker"], cwd, { SERVICE_REGISTRATION: "open" });
  const registered = await fetch(`${url}/api/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "a long and odd passphrase" }),
  });
  expect(registered.status).toBe(201);
  const inbox = async (): Promise<unknown[]> =>
    (await (await fetch(`${url}/inbox.json`)).json()) as unknown[];
  expect(await inbox()).toEqual([]);
  const once = await runCommand(["worker", "--once"], { cwd, env });
  expect(once.code).toBe(0);
  expect(await inbox()).toHaveLength(1);
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});
