import { afterAll, beforeAll, expect, test } from "vitest";
import { createSecretBox } from "../../../core/src/rules/secret-box.ts";
import { worldSecretKey } from "../../../core/src/testing/world.ts";
import { createTrackingTokens } from "../../../core/src/tracking/rules/tracking-token.ts";
import { startServer, type TestServer } from "../../test/start-server.ts";

/** Returns the row of the e-mail that an image's path stands for. */
const rowOf = (path: string) =>
  createTrackingTokens(createSecretBox(worldSecretKey).trackingKey).read(path.slice(3, -4))?.row ?? 0;

let server: TestServer;
let links: string[];
let image: string;
/** About as long as a tracked link may be, with what must not be changed on the way. */
const long = `https://shop.example/?a=1&b=%20$&${"x".repeat(3_450)}#top`;

beforeAll(async () => {
  server = await startServer();
  const { id } = await server.world.addWorkspace();
  const html = `<a href="https://shop.example/a">A</a><a href="${long.replaceAll("&", "&amp;")}">B</a>`;
  const mail = { subject: "Hi", html, to: ["ada@example.com"], tracking: { opens: true, clicks: true } };
  await server.world.posthorn.workspace(id).emails.send(mail);
  await server.world.posthorn.drain();
  const sent = server.world.mailer.inbox.find({ to: "ada@example.com" })?.html ?? "";
  expect(sent).not.toContain("shop.example");
  links = [...sent.matchAll(/href="([^"]+)"/g)].map(([, url = ""]) => new URL(url).pathname);
  image = new URL(/src="([^"]+)"/.exec(sent)?.[1] ?? "").pathname;
});
afterAll(() => server.close());

const ask = (path: string, method = "GET", headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method, headers, redirect: "manual" });

test.each(["GET", "HEAD"])("a link redirects to what stands in its token: %s", async (method) => {
  const answers = await Promise.all(links.map((path) => ask(path, method)));
  expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual([
    [302, "https://shop.example/a"],
    [302, long],
  ]);
  for (const { headers } of answers)
    expect(
      ["cache-control", "referrer-policy", "x-robots-tag", "set-cookie"].map((name) => headers.get(name)),
    ).toEqual(["no-store", "no-referrer", "noindex", null]);
});

test("the redirect's headers fit into the 4 KiB that nginx takes by default", async () => {
  const { headers } = await ask(links[1] ?? "");
  const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  expect(bytes).toBeGreaterThan(3_500);
  expect(bytes).toBeLessThan(4_000);
});

test("a token that nobody made is a page, and leads nowhere", async () => {
  const [, token = ""] = /^\/c\/(.+)$/.exec(links[0] ?? "") ?? [];
  const others = [
    `${token}x`,
    `${token.slice(0, -1)}_`,
    "x",
    "https%3A%2F%2Fevil.example",
    image.slice(3, -4),
  ];
  for (const other of others) {
    const answer = await ask(`/c/${other}`);
    expect([answer.status, answer.headers.get("location")]).toEqual([404, null]);
    expect(await answer.text()).toContain("This link is incomplete");
  }
});

test("the image is a pixel of 43 bytes, whatever its token", async () => {
  for (const path of [image, "/o/x.gif"]) {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/gif"]);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([bytes.length, bytes.subarray(0, 6).toString()]).toEqual([43, "GIF89a"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  }
});

test("other methods are not served", async () => {
  expect((await ask(links[0] ?? "", "POST")).status).toBe(405);
});

test("hits are counted with their headers, and HEAD is not", async () => {
  server.world.clock.advance(60_000);
  const { id } = await server.world.addWorkspace();
  const mail = { subject: "Hi", html: '<a href="https://shop.example/">A</a>', to: ["bob@example.com"] };
  const { id: emailId } = await server.world.posthorn
    .workspace(id)
    .emails.send({ ...mail, tracking: { opens: true, clicks: true } });
  await server.world.posthorn.drain();
  server.world.clock.advance(60_000);
  const sent = server.world.mailer.inbox.all().find((one) => one.emailId === emailId)?.html ?? "";
  const [link = "", pixel = ""] = [...sent.matchAll(/(?:href|src)="([^"]+)"/g)].map(
    ([, url = ""]) => new URL(url).pathname,
  );
  const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
  await ask(pixel, "HEAD", { "user-agent": agent });
  await ask(link, "HEAD", { "user-agent": agent });
  await ask(pixel, "GET", { "user-agent": agent });
  await ask(link, "GET", { "user-agent": agent, "sec-purpose": "prefetch;prerender" });
  await ask(link, "GET", { "user-agent": agent });
  await server.world.posthorn.drain();
  const counted = (await server.world.storage.tracking.list(rowOf(pixel))).map((hits) => [
    hits.kind,
    hits.count,
    hits.humanCount,
    hits.machineReason,
    hits.address,
  ]);
  expect(counted).toEqual([
    ["open", 1, 1, undefined, "127.0.0.0/24"],
    ["click", 2, 1, "prefetch_header", "127.0.0.0/24"],
  ]);
});

// The last one, as the others share the server.
test("a link works without the database", async () => {
  await server.world.storage.close();
  expect((await ask(links[0] ?? "")).status).toBe(302);
  expect((await ask(image)).status).toBe(200);
});
