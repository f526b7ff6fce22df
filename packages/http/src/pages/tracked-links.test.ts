import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";

let server: TestServer;
let links: string[];
let image: string;
/** About as long as a tracked link may be, with what must not be changed on the way. */
const long = `https://shop.example/?a=1&b=%20$&${"x".repeat(5_850)}#top`;

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

const ask = (path: string, method = "GET") => fetch(`${server.url}${path}`, { method, redirect: "manual" });

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
  expect((await ask(links[0] ?? "", "POST")).status).toBe(404);
});

// The last one, as the others share the server.
test("a link works without the database", async () => {
  await server.world.storage.close();
  expect((await ask(links[0] ?? "")).status).toBe(302);
  expect((await ask(image)).status).toBe(200);
});
