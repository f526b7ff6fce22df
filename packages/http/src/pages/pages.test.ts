import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { get, servePages } from "../../test/pages.ts";
import { startServer, type TestServer } from "../../test/start-server.ts";

servePages();

describe("the pages that e-mails link to", () => {
  test.each(["/app/verify-email", "/app/reset-password", "/app/invitations"])(
    "%s runs its own script and nothing else",
    async (path) => {
      const response = await get(`${path}?token=secret-token`);
      const html = await response.text();
      const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
      const hash = createHash("sha256").update(script).digest("base64");
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(response.status).toBe(200);
      expect(policy).toContain(`script-src 'sha256-${hash}'`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(() => new Function(script)).not.toThrow();
      expect(html).not.toContain("secret-token");
      expect(html).not.toMatch(/<(?:link|img)\b|src=|https?:\/\//);
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      expect(response.headers.get("cache-control")).toBe("no-store");
    },
  );

  test.each(["/app/verify-email", "/app/reset-password", "/app/invitations"])(
    "%s says what to do if the link is incomplete or the page was loaded again, and shows no form",
    async (path) => {
      for (const end of ["", "?", "?token=", "?tok=x"]) {
        const response = await get(`${path}${end}`);
        const html = await response.text();
        expect(response.status).toBe(400);
        expect(html).toContain(
          "it was cut off, or this page was loaded again. Open the link again from the e-mail",
        );
        expect(html).not.toMatch(/<(?:form|input|button|script)/);
        expect(response.headers.get("content-security-policy")).toContain("script-src 'none'");
      }
    },
  );

  test("a new password's field says how long it must be, and a known one's does not", async () => {
    const strict = await startServer({}, undefined, { passwordMinLength: 15 });
    const page = async (path: string) => (await fetch(`${strict.url}${path}?token=t`)).text();
    expect(await page("/app/reset-password")).toContain('<small id="least">At least 15 characters.</small>');
    for (const path of ["/app/verify-email", "/app/invitations"])
      expect(await page(path)).toContain('<small id="least" hidden>At least 15 characters.</small>');
    await strict.close();
  });

  test("every field has its label", async () => {
    const pages = await Promise.all(
      ["/app/reset-password", "/app/invitations"].map(async (path) => (await get(`${path}?token=t`)).text()),
    );
    const ids = pages.flatMap((html) =>
      [...html.matchAll(/<input id="(\w+)"/g)].map((match) => [html, match[1]]),
    );
    expect(ids.length).toBe(6);
    // A recovery code has letters, which a telephone's keypad for numbers lacks.
    expect(pages.join("")).not.toContain("inputmode");
    for (const [html, id] of ids) expect(html).toContain(`<label for="${id}">`);
  });
});

test("errors outside of the API are pages for browsers, and JSON for programs", async () => {
  const browsers = "text/html,application/xhtml+xml,*/*;q=0.8";
  const page = await get("/nowhere", { accept: browsers });
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
  expect(page.headers.get("x-request-id")).not.toBeNull();
  expect(await page.text()).toContain("Page not found");
  for (const [path, accept] of [
    ["/nowhere", "*/*"],
    ["/api/v1/nowhere", browsers],
  ] as const)
    expect(await (await get(path, { accept })).json()).toMatchObject({ error: { code: "not_found" } });
});

test("the home page of a development server shows its key to this machine only, and exists nowhere else", async () => {
  expect((await get("/")).status).toBe(404);
  const home = () => ({
    url: "http://127.0.0.1:8080",
    apiKey: "sk_shown",
    login: { email: "dev@posthorn.example", password: "p<w" },
    workspaceId: 1,
  });
  const dev = await startServer({ home });
  const response = await fetch(`${dev.url}/`);
  const html = await response.text();
  expect([response.status, html.includes("Bearer sk_shown"), html.includes("p&#60;w")]).toEqual([
    200,
    true,
    true,
  ]);
  const proxied = (path: string) => fetch(dev.url + path, { headers: { "x-forwarded-for": "203.0.113.7" } });
  expect((await proxied("/")).status).toBe(404);
  const previews = await fetch(`${dev.url}/previews`);
  expect([previews.status, (await previews.text()).includes("posthorn dev mail/")]).toEqual([404, true]);
  expect(await (await proxied("/previews")).text()).not.toContain("posthorn dev");
  await dev.close();
});

describe("the templates of a folder", () => {
  let revision = 1;
  const sent: string[] = [];
  const rendered = {
    subject: "<b>Hi</b>",
    html: "<script>alert(1)</script><p>Hi</p>",
    text: "",
    missing: ["name"],
    sampleData: { at: 1 },
  };
  const previews = {
    folder: "mail",
    revision: () => String(revision),
    list: () => [{ name: "hi & bye", files: ["hi & bye.html"], version: 3 }],
    render: async (name: string) => (name === "hi & bye" ? rendered : undefined),
    send: async (name: string) => void sent.push(name),
  };
  let shown: TestServer;
  beforeAll(async () => {
    shown = await startServer({ previews: () => previews });
  });
  afterAll(() => shown.close());
  const at = (path: string, init?: RequestInit) => fetch(`${shown.url}/previews${path}`, init);

  test("have a page that runs its own script only, and are listed once per change", async () => {
    const page = await at("");
    const script = /<script>([\s\S]*?)<\/script>/.exec(await page.text())?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(page.headers.get("content-security-policy")).toContain(`script-src 'sha256-${hash}'`);
    expect(() => new Function(script)).not.toThrow();
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
    const list = await at(".json");
    expect(await list.json()).toEqual({ folder: "mail", templates: previews.list() });
    const headers = { "if-none-match": list.headers.get("etag") ?? "" };
    expect((await at(".json", { headers })).status).toBe(304);
    revision += 1;
    expect((await at(".json", { headers })).status).toBe(200);
  });

  test("are rendered, their HTML in a document that runs no script", async () => {
    const detail = await (await at("/rendered.json?name=hi%20%26%20bye")).json();
    expect(detail).toMatchObject({
      subject: "<b>Hi</b>",
      missing: ["name"],
      sample_data: { at: 1 },
      html_size: 34,
    });
    const html = await at("/html?name=hi%20%26%20bye");
    expect(await html.text()).toContain("<p>Hi</p>");
    expect(html.headers.get("content-security-policy")).toContain("sandbox allow-popups");
    expect((await at("/html?name=none")).status).toBe(404);
    expect((await get("/previews")).status).toBe(404);
  });

  test("are sent by the page only, and served to this machine only", async () => {
    const token = /data-token="([^"]+)"/.exec(await (await at("")).text())?.[1] ?? "";
    const post = (body: string) => at("/send?name=hi%20%26%20bye", { method: "POST", body });
    expect((await post("token=guessed")).status).toBe(403);
    expect(sent).toEqual([]);
    expect((await post(`token=${token}`)).status).toBe(204);
    expect(sent).toEqual(["hi & bye"]);
    expect((await at(".json", { headers: { "x-forwarded-for": "203.0.113.1" } })).status).toBe(404);
  });
});
