import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { showMetrics } from "./show-metrics.ts";

const host = "127.0.0.1";
const metrics_host = undefined;

async function openWorld() {
  const world = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
  onTestFinished(() => world.close());
  return world;
}

test("serves a worker's metrics on a port of their own, and nothing else", async () => {
  const { posthorn, addWorkspace } = await openWorld();
  const { id: workspaceId } = await addWorkspace();
  await posthorn.emails.send({ to: ["ada@example.com"], subject: "Hi", text: "x" }, { workspaceId });
  await posthorn.drain();
  const shown = await showMetrics(posthorn, { metrics_port: 0, metrics_host, host });
  const text = await (await fetch(shown?.url ?? "")).text();
  expect(text).toMatch(/^posthorn_email_attempts_total\{.*\} 1$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  const api = await fetch(`${new URL(shown?.url ?? "").origin}/api/v1/users/me`);
  expect(api.status).toBe(404);
  await shown?.close();
  await expect(fetch(shown?.url ?? "")).rejects.toThrow();
});

test("listens only if a port is set, and reports a port that is in use", async () => {
  const { posthorn } = await openWorld();
  expect(await showMetrics(posthorn, { metrics_port: undefined, metrics_host, host })).toBeUndefined();
  const other = createServer().listen(0, host);
  onTestFinished(() => void other.close());
  await expect.poll(() => other.listening).toBe(true);
  const { port } = other.address() as AddressInfo;
  await expect(showMetrics(posthorn, { metrics_port: port, metrics_host, host })).rejects.toMatchObject({
    message: `The server can't listen on ${host}:${port}: the port is taken.`,
    hint: "Choose another with --metrics-port or --metrics-host.",
  });
});

test("listens at an address of the metrics' own, if one is set", async () => {
  const { posthorn } = await openWorld();
  const shown = await showMetrics(posthorn, { metrics_port: 0, metrics_host: "127.0.0.2", host });
  onTestFinished(() => shown?.close());
  expect(shown?.url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/metrics$/);
  expect((await fetch(shown?.url ?? "")).status).toBe(200);
});
