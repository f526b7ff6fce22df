import { createSocket } from "node:dgram";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../packages/cli/test/run-command.ts";
import { needProgram, needRoot } from "./needs.ts";
import { openFaultWorld, times } from "./open-fault-world.ts";

const nameServer = "127.0.53.53";

test("a silent name server for webhooks: e-mails and logins continue", async (context) => {
  needProgram(context, "unshare");
  needRoot(context, "another resolv.conf for one process");
  const silent = createSocket("udp4").bind(53, nameServer);
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  let asked = 0;
  silent.on("message", () => {
    asked += 1;
  });
  const folder = makeFolder();
  const resolvConf = join(folder, "resolv.conf");
  writeFileSync(resolvConf, `nameserver ${nameServer}\n`);

  const world = await openFaultWorld();
  for (let at = 0; at < 12; at += 1) {
    const input = {
      url: `https://silent-${at}.example.com/`,
      events: ["email.queued", "email.sent"],
    };
    await world.posthorn.webhooks.create(input, { workspaceId: world.workspaceId });
  }
  const mount = `mount --bind ${resolvConf} /etc/resolv.conf && exec "$@"`;
  const served = await world.serve({ under: ["unshare", "--mount", "sh", "-c", mount, "sh"] });
  expect(await times(20, served.send)).toEqual(Array(20).fill(202));
  const from = performance.now();
  const login = await fetch(`${served.url}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "ada@example.com", password: "a long and odd passphrase" }),
  });
  const loginMs = performance.now() - from;
  expect(login.status).toBe(200);
  expect(await world.settled()).toEqual({ lost: [], ghosts: [], twice: 0 });
  const settledMs = performance.now() - from;
  expect(asked).toBeGreaterThan(0);
  // A lookup takes five seconds, and there are more of them than threads.
  expect(loginMs).toBeLessThan(4_000);
  await served.stop();
  context.task.meta.figures = `${asked} questions unanswered; login ${Math.round(loginMs)} ms, mail ${Math.round(settledMs)} ms`;
});
