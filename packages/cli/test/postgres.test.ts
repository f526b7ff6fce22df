import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { ownTestServer } from "../../storage-postgres/test/open-test-storage.ts";
import { makeFolder, runCommand, startCommand } from "./run-command.ts";

test("runs on PostgreSQL: migrates, serves, delivers, survives the database's restart, and the doctor finds no fault", async () => {
  const cwd = makeFolder();
  const database = await ownTestServer();
  const env = {
    SERVICE_DATABASE_URL: database.connectionString,
    SERVICE_SECRET_KEY: randomBytes(48).toString("base64"),
    SERVICE_REGISTRATION: "open",
    SERVICE_SMTP_URL: "capture:",
  };
  const keyless = await runCommand(["serve"], { cwd, env: { ...env, SERVICE_SECRET_KEY: "" } });
  expect(keyless.code).toBe(2);
  expect(keyless.stderr).toContain("SERVICE_SECRET_KEY");

  expect((await runCommand(["migrate"], { cwd, env })).code).toBe(0);
  const server = startCommand(["serve", "--port", "0"], { cwd, env });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const [, url = ""] = await server.waitForStderr(/Listening on (\S+)/);
  await database.restart();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  const register = async (): Promise<number> => {
    const body = { name: "Ada", email: "ada@example.com", password: "a long and odd passphrase" };
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${url}/api/v1/auth/register`, init)).status;
  };
  // Another connection than the one that was checked may still be broken.
  await expect.poll(register).toBe(201);
  const inbox = async (): Promise<number> =>
    ((await (await fetch(`${url}/inbox.json`)).json()) as unknown[]).length;
  await expect.poll(inbox).toBe(1);

  const diagnose = async () => {
    const doctor = await runCommand(["doctor"], { cwd, env });
    const findings = JSON.parse(doctor.stdout) as { check: string; state: string }[];
    return { code: doctor.code, ...Object.fromEntries(findings.map(({ check, state }) => [check, state])) };
  };
  // The worker's first heartbeat may have met the restart: the next one follows within a second.
  const sound = { code: 0, database: "ok", schema: "ok", clock: "ok", workers: "ok", queue: "ok" };
  await expect.poll(diagnose).toMatchObject(sound);
  server.child.kill("SIGTERM");
  const { code, stdout, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain(env.SERVICE_SECRET_KEY);
});
