import { connect, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, type RunningCommand, startCommand } from "./run-command.ts";

async function serve(
  args: string[] = [],
  cwd = makeFolder(),
  env: Record<string, string> = {},
): Promise<{ server: RunningCommand; url: string }> {
  const server = startCommand(["serve", "--port", "0", ...args], { cwd, env });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
  return { server, url };
}

test("serves until SIGTERM, and ends with 0", async () => {
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

test("ends with 130 after Ctrl-C", async () => {
  const { server } = await serve();
  server.child.kill("SIGINT");
  expect((await server.ended).code).toBe(130);
});

test("finishes a request that is under way, also when SIGTERM comes again, and a second Ctrl-C ends it at once", async () => {
  const { server, url } = await serve();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  // A body that never comes keeps the request open.
  await new Promise<void>((resolve) => {
    const head =
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9";
    socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n`);
    socket.once("data", () => resolve());
  });
  server.child.kill("SIGTERM");
  await server.waitForStderr(/"msg":"ending/);
  expect(server.child.exitCode).toBeNull();
  server.child.kill("SIGTERM");
  server.child.kill("SIGINT");
  // Signals are taken in no set order: the process has heard all of them once it answers the refused connection.
  expect(
    await fetch(`${url}/healthz`).then(
      ({ status }) => status,
      () => "refused",
    ),
  ).toBe("refused");
  expect(server.child.exitCode).toBeNull();
  await expect
    .poll(
      () => {
        server.child.kill("SIGINT");
        return server.child.exitCode;
      },
      { timeout: 10_000 },
    )
    .toBe(130);
});

test("shows captured mail on loopback only", async () => {
  const { url, server } = await serve(["--host", "0.0.0.0"]);
  expect((await fetch(`${url}/inbox`)).status).toBe(404);
  server.child.kill("SIGTERM");
  expect((await server.ended).stderr).not.toContain(`${url}/inbox`);
});

test("a port that is taken is told in one line, with what to do", async () => {
  const taken = createServer();
  const port = await new Promise<number>((resolve) => {
    taken.listen(0, "127.0.0.1", () => resolve((taken.address() as { port: number }).port));
  });
  onTestFinished(() => void taken.close());
  const server = startCommand(["serve", "--port", String(port)], { cwd: makeFolder() });
  const { code, stderr } = await server.ended;
  expect(code).toBe(1);
  expect(stderr).toContain("the port is taken");
  expect(stderr).toContain("--port");
});

test("dev makes a world whose curl line works, and finds it again", async () => {
  const cwd = makeFolder();
  const first = startCommand(["dev", "--port", "0"], { cwd });
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
  const inbox = new URL("/inbox.json", url);
  await expect
    .poll(
      async () =>
        ((await (await fetch(inbox)).json()) as { subject: string }[]).map(({ subject }) => subject),
      {
        timeout: 10_000,
      },
    )
    .toEqual(["Welcome, Ada!"]);
  first.child.kill("SIGINT");
  const { code, stdout } = await first.ended;
  expect(code).toBe(130);
  const made = JSON.parse(stdout) as { login: { email: string; password: string }; api_key: string };
  expect(`Bearer ${made.api_key}`).toBe(key);

  const second = startCommand(["dev", "--port", "0"], { cwd });
  onTestFinished(() => void second.child.kill("SIGKILL"));
  const [, again = ""] = await second.waitForStderr(/Listening on (\S+)/);
  await second.waitForStderr(/curl /);
  const login = await fetch(`${again}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(made.login),
  });
  expect(login.status).toBe(200);
  second.child.kill("SIGTERM");
  expect((await second.ended).code).toBe(0);
});

test("a worker delivers what a server without one accepted", async () => {
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
  const once = startCommand(["worker", "--once"], { cwd });
  expect((await once.ended).code).toBe(0);
  expect(await inbox()).toHaveLength(1);
  server.child.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
});
