import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, runCommand, runProcess, startCommand } from "./run-command.ts";

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
    "✓ the signature matches",
  ]) {
    expect(stdout).toContain(said);
  }
  expect(readdirSync(temporary)).toEqual([]);
  expect(readdirSync(cwd)).toEqual(["tmp"]);
});

test.each([[["--json"]], [["--format", "ndjson"]]])(
  "reports it as one JSON document by %j, whatever the environment sets",
  async (format) => {
    const { code, stdout } = await runCommand(["demo", ...format], {
      cwd: makeFolder(),
      // None of these may reach the demo.
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
  },
);

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 130],
  ["SIGHUP", 130],
] as const)("leaves nothing behind when ended by %s", async (signal, code) => {
  const cwd = makeFolder();
  const temporary = join(cwd, "tmp");
  mkdirSync(temporary);
  // Its first request is never answered, so that the demo is still running whenever the signal arrives.
  const silence = encodeURIComponent(
    "globalThis.fetch = () => (console.error('asked'), new Promise(() => {}))",
  );
  const env = { TMPDIR: temporary, NODE_OPTIONS: `--import=data:text/javascript,${silence}` };
  const demo = startCommand(["demo"], { cwd, env });
  await demo.waitForStderr(/asked/);
  expect(readdirSync(temporary)).not.toEqual([]);
  demo.child.kill(signal);
  expect((await demo.ended).code).toBe(code);
  expect(readdirSync(temporary)).toEqual([]);
});

test("names the step that failed, and exits with 1", async () => {
  const cwd = makeFolder();
  const { code, stderr } = await runProcess(["demo"], { cwd, env: { TMPDIR: join(cwd, "missing") } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: Step 1 failed .*missing/m);
});
