import { gunzipSync, gzipSync } from "node:zlib";
import { StorageUnavailable } from "@posthorn/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createKeepAliveClient } from "../../test/keep-alive-client.ts";
import { startServer, type TestServer } from "../../test/start-server.ts";
import type { WireRequest } from "../contract/wire-request.ts";
import { createDispatcher, type Dispatcher } from "./dispatch.ts";
import { createMetrics } from "./metrics/create-metrics.ts";
import { toNodeHandler } from "./node.ts";

const token = "scraper-4f0c";
const client = createKeepAliveClient();
let server: TestServer;
let dispatcher: Dispatcher;
beforeAll(async () => {
  server = await startServer({ metricsToken: token });
  dispatcher = createDispatcher(server.world.posthorn, { corsOrigins: ["https://app.example"] });
});
afterAll(async () => {
  client.close();
  await server.close();
});

const get = (path: string, headers: Record<string, string> = {}, { url } = server) =>
  client.send(`${url}${path}`, "GET", headers);

test("the process is healthy, and ready while its storage is", async () => {
  expect(JSON.parse((await get("/healthz")).text)).toEqual({ status: "ok" });
  expect((await get("/readyz")).status).toBe(200);
  const ping = server.world.storage.ping;
  server.world.storage.ping = () => Promise.reject(new StorageUnavailable("down"));
  const response = await get("/readyz");
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect((await get("/healthz")).status).toBe(200);
  server.world.storage.ping = ping;
});

test.each(["/healthz", "/readyz", "/metrics", "/docs"])("%s is not there for other methods", async (path) => {
  const { status, text, headers } = await client.send(`${server.url}${path}`, "POST", {});
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(JSON.parse(text).error.code).toBe("method_not_allowed");
});

test("metrics are labelled by route pattern, never by a caller's path", async () => {
  await server.ask("GET /users/me");
  await server.ask("GET /emails/0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f");
  await get("/secret-path-of-a-caller");
  const { text } = await get("/metrics", { authorization: `Bearer ${token}` });
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
  expect((await get("/metrics")).text).toContain("then the token configured for metrics.");
  expect((await get("/metrics", { authorization: "Bearer scraper-4f0d" })).status).toBe(401);
  const empty = await startServer({ metricsToken: "" });
  expect((await get("/metrics", {}, empty)).status).toBe(401);
  await empty.close();
  const other = await startServer();
  const response = await get("/metrics", { authorization: "Bearer undefined" }, other);
  expect([response.status, response.text]).toEqual([404, expect.stringContaining("none is configured")]);
  await other.close();
});

test("the age of the oldest due e-mail and webhook delivery is measured by the service's clock", async () => {
  const { world, close } = await startServer();
  const { clock, posthorn, storage } = world;
  storage.emailQueue.status = async () => ({
    due: 1,
    waiting: 0,
    leased: 0,
    oldestDueAt: clock.now() - 90_000,
  });
  storage.webhookDeliveries.status = async () => ({ pending: 7, oldestDueAt: clock.now() - 70_000 });
  const text = await toNodeHandler(posthorn).metrics();
  expect(text).toContain("posthorn_queue_oldest_due_seconds 90\n");
  expect(text).toContain("posthorn_webhook_deliveries_pending 7\n");
  expect(text).toContain("posthorn_webhook_oldest_due_seconds 70\n");
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
  const document = JSON.parse((await get("/openapi.json")).text) as { openapi: string };
  expect(document.openapi).toBe("3.1.0");
  const docs = await get("/docs");
  expect(docs.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(docs.text).toContain("API reference");
});

const requestOf = (target: string, headers: Record<string, string>): WireRequest => ({
  method: "GET",
  target,
  headers,
  repeatedAuthorization: false,
  ip: "",
  readBody: async () => new Uint8Array(),
  openBody: async function* () {},
});

test.each(["/docs", "/openapi.json"])(
  "%s is generated once, and answered with 304 if unchanged",
  async (path) => {
    const ask = (headers: Record<string, string>) => dispatcher.dispatch(requestOf(path, headers));
    for (const accepted of [{}, { "accept-encoding": "br, gzip;q=0.5" }]) {
      const [first, second] = [await ask(accepted), await ask(accepted)];
      expect(first.body).toBeInstanceOf(Uint8Array);
      expect(second.body).toBe(first.body);
      expect(first.headers).toMatchObject({ "cache-control": "no-cache", vary: "Accept-Encoding, Origin" });
      const { etag = "" } = first.headers;
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      const known = await ask({ ...accepted, "if-none-match": `"other", W/${etag}` });
      expect([known.status, known.body, known.headers["etag"]]).toEqual([304, "", etag]);
      const response = await get(path, { ...accepted, "if-none-match": etag });
      expect([response.status, response.text]).toEqual([304, ""]);
    }
  },
);

test.each(["/docs", "/openapi.json"])("%s is packed for clients that accept gzip", async (path) => {
  const ask = (accepted: string) => dispatcher.dispatch(requestOf(path, { "accept-encoding": accepted }));
  const [plain, packed, refused] = [await ask("identity"), await ask("gzip"), await ask("gzip;q=0, br")];
  expect(packed.headers["content-encoding"]).toBe("gzip");
  expect(gunzipSync(packed.body)).toEqual(plain.body);
  expect(packed.headers["etag"]).not.toBe(plain.headers["etag"]);
  expect([plain.headers["content-encoding"], refused.body]).toEqual([undefined, plain.body]);
});

test("the reference runs the bundled script if there is one, loaded from the same origin only", async () => {
  const program = "window.shown = 1;";
  const dressed = await startServer({
    reference: { script: async () => new Uint8Array(gzipSync(program)) },
  });
  const page = await get("/docs", {}, dressed);
  const policy = page.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
  expect(policy).toContain("default-src 'none'");
  expect(page.text).not.toMatch(/(?:src|href)="https?:/);
  const packed = await fetch(`${dressed.url}/docs/reference.js`);
  expect([packed.headers.get("content-encoding"), await packed.text()]).toEqual(["gzip", program]);
  const plain = await get("/docs/reference.js", {}, dressed);
  expect([plain.headers.get("content-encoding"), plain.text]).toEqual([null, program]);
  expect((await get("/docs/reference.js")).status).toBe(404);
  // Until the program has run, and without JavaScript, readers are led to the page that needs none.
  expect(page.text).toMatch(/<main id="until-shown".*<a href="docs\.html">plain page<\/a>/);
  const [bare, without] = [await get("/docs.html", {}, dressed), await get("/docs")];
  expect(bare.text).toBe(without.text);
  expect(bare.text).not.toContain("<script");
  await dressed.close();
});
