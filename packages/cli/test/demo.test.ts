import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, runProcess, startCommand } from "./run-command.ts";

test("plays the main job to its end, and leaves nothing behind", async () => {
  const cwd = makeFolder();
  const temporary = join(cwd, "tmp");
  mkdirSync(temporary);
  const { code, stdout, stderr } = await runProcess(["demo"], { cwd, env: { TMPDIR: temporary } });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  for (const said of [
    "Subject: Order 2041",
    "<h1 style=",
    "- Brass post horn: 49.00",
    "✓ the signature is right",
  ]) {
    expect(stdout).toContain(said);
  }
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(cwd)).toEqual(["tmp"]);
});

test("tells it in one JSON document, whatever the environment says", async () => {
  const { code, stdout } = await runProcess(["demo", "--json"], {
    cwd: makeFolder(),
    // Nothing of these may reach the demonstration.
    env: {
      SERVICE_DATABASE_URL: "postgres://127.0.0.1:1/x",
      SERVICE_SMTP_URL: "smtp://127.0.0.1:1",
      SERVICE_PORT: "x",
    },
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    email: { status: "sent" },
    mail: { subject: "Order 2041: 61.50 €", to: "grace@example.com" },
    webhook: { event: { event: "email.sent" }, signature_valid: true },
  });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 130],
] as const)("ended by %s, it still leaves nothing behind", async (signal, code) => {
  const cwd = makeFolder();
  const temporary = join(cwd, "tmp");
  mkdirSync(temporary);
  const demo = startCommand(["demo"], { cwd, env: { TMPDIR: temporary } });
  // Once the stage is set: the address of the servers is the first that is told.
  await new Promise((resolve) =>
    demo.child.stdout?.on("data", (text) => String(text).includes("Register") && resolve(0)),
  );
  demo.child.kill(signal);
  expect((await demo.ended).code).toBe(code);
  expect(readdirSync(temporary)).toEqual([]);
});

test("says which step failed, and ends with 1", async () => {
  const cwd = makeFolder();
  const { code, stderr } = await runProcess(["demo"], { cwd, env: { TMPDIR: join(cwd, "missing") } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: Step 1 failed .*missing/m);
});
