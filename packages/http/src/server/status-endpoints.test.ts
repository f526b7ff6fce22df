import { gzipSync } from "node:zlib";
import { StorageUnavailable } from "@posthorn/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";
import { createMetrics } from "./create-metrics.ts";
import { createDispatcher } from "./dispatch.ts";
import { toNodeHandler } from "./node.ts";

const token = "scraper-4f0c";
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ metricsToken: token });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

test("the process is healthy, and ready while its storage is", async () => {
  expect(await (await get("/healthz")).json()).toEqual({ status: "ok" });
  expect((await get("/readyz")).status).toBe(200);
  const ping = server.world.storage.ping;
  server.world.storage.ping = () => Promise.reject(new StorageUnavailable("down"));
  const response = await get("/readyz");
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await get("/healthz")).status).toBe(200);
  server.world.storage.ping = ping;
});

test("metrics are labelled by route pattern, never by a caller's path", async () => {
  await server.ask("GET /users/me");
  await server.ask("GET /emails/0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f");
  await get("/secret-path-of-a-caller");
  const text = await (await get("/metrics", { authorization: `Bearer ${token}` })).text();
  expect(text).toContain('posthorn_http_requests_total{route="GET /users/me",status="4xx"} 1');
  expect(text).toContain('posthorn_http_requests_total{route="GET /emails/{id}",status="4xx"} 1');
  expect(text).toContain("posthorn_queue_due 0");
  expect(text).toContain("# TYPE posthorn_email_attempts_total counter\n");
  expect(text).toContain('posthorn_email_attempts_total{outcome="sent"} 0\n');
  expect(text).toContain('posthorn_webhook_attempts_total{outcome="retried"} 0\n');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).toMatch(/^# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total [\d.]+$/m);
  expect(text).not.toContain("secret-path");
  for (const line of text.trim().split("\n"))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) |[a-z_]+(?:\{[^}]*\}?[^}]*\})? [\d.e+-]+$)/);
});

test("metrics need the token, and are unavailable without one", async () => {
  expect((await get("/metrics")).status).toBe(401);
  expect((await get("/metrics", { authorization: "Bearer scraper-4f0d" })).status).toBe(401);
  const other = await startServer();
  const response = await fetch(`${other.url}/metrics`, { headers: { authorization: "Bearer undefined" } });
  expect([response.status, await response.text()]).toEqual([
    404,
    expect.stringContaining("none is configured"),
  ]);
  await other.close();
});

test("the age of the oldest due e-mail is measured by the service's clock", async () => {
  const { world, close } = await startServer();
  const { clock, posthorn, storage } = world;
  storage.emailQueue.status = async () => ({
    due: 1,
    waiting: 0,
    leased: 0,
    oldestDueAt: clock.now() - 90_000,
  });
  const text = await toNodeHandler(posthorn).metrics();
  expect(text).toContain("posthorn_queue_oldest_due_seconds 90\n");
  await close();
});

test("a histogram's buckets are cumulative", () => {
  const metrics = createMetrics();
  for (const ms of [0.5, 3, 3, 20_000]) metrics.record("r", 200, ms);
  const text = metrics.write([]);
  expect(text).toContain('le="0.001"} 1\n');
  expect(text).toContain('le="0.005"} 3\n');
  expect(text).toContain('le="10"} 3\n');
  expect(text).toContain('le="+Inf"} 4\n');
  expect(text).toContain('_sum{route="r"} 20.0065');
});

test("the document and the reference are served", async () => {
  const document = (await (await get("/openapi.json")).json()) as { openapi: string };
  expect(document.openapi).toBe("3.1.0");
  const docs = await get("/docs");
  expect(docs.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(await docs.text()).toContain("API reference");
});

test.each(["/docs", "/openapi.json"])(
  "%s is generated once, and answered with 304 if unchanged",
  async (path) => {
    const dispatcher = createDispatcher(server.world.posthorn);
    const ask = (headers: Record<string, string> = {}) =>
      dispatcher.dispatch({
        method: "GET",
        target: path,
        headers,
        repeatedAuthorization: false,
        ip: "",
        readBody: async () => new Uint8Array(),
        openBody: async function* () {},
      });
    const [first, second] = [await ask(), await ask()];
    expect(first.body).toBeInstanceOf(Uint8Array);
    expect(second.body).toBe(first.body);
    const { etag = "", "cache-control": caching } = first.headers;
    expect([etag, caching]).toEqual([expect.stringMatching(/^"[\w-]{22}"$/), "no-cache"]);
    const known = await ask({ "if-none-match": `"other", W/${etag}` });
    expect([known.status, known.body, known.headers["etag"]]).toEqual([304, "", etag]);
    const response = await get(path, { "if-none-match": etag });
    expect([response.status, await response.text()]).toEqual([304, ""]);
  },
);

test("the reference runs the bundled script if there is one, loaded from the same origin only", async () => {
  const program = "window.shown = 1;";
  const dressed = await startServer({
    reference: { script: async () => new Uint8Array(gzipSync(program)) },
  });
  const page = await fetch(`${dressed.url}/docs`);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy).toContain("default-src 'none'");
  expect(await page.text()).not.toMatch(/(?:src|href)="https?:/);
  const packed = await fetch(`${dressed.url}/docs/reference.js`);
  expect([packed.headers.get("content-encoding"), await packed.text()]).toEqual(["gzip", program]);
  const plain = await fetch(`${dressed.url}/docs/reference.js`, {
    headers: { "accept-encoding": "identity" },
  });
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, program]);
  expect((await fetch(`${server.url}/docs/reference.js`)).status).toBe(404);
  await dressed.close();
});
