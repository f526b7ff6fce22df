import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";
import type { InboxMailDetail } from "./inbox/capture-inbox.ts";

const mail: InboxMailDetail = {
  id: "0190-0001-abcd",
  from: { name: "<b>Eve</b>", address: "eve@example.com" },
  to: ["grace@example.com"],
  subject: "<script>alert(1)</script>",
  receivedAt: Date.UTC(2030, 0, 1),
  html: '<p title="a">Hello</p><script>alert(2)</script>',
  text: "Hello <you>",
  headers: [{ name: "X-Odd", value: '"><img src=x>' }],
  attachments: [{ filename: "a<b>.txt", contentType: "text/plain", size: 3 }],
  source: "Subject: <script>alert(1)</script>",
};

let mails: InboxMailDetail[] = [mail];
const inbox = {
  list: () => mails,
  find: (id: string) => mails.find((each) => each.id === id),
  clear: () => {
    mails = [];
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ inbox });
});
afterAll(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

describe("the pages that mails lead to", () => {
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
    "%s says what to do where the link is not complete, and shows no form",
    async (path) => {
      for (const end of ["", "?", "?token=", "?tok=x"]) {
        const response = await get(`${path}${end}`);
        const html = await response.text();
        expect(response.status).toBe(400);
        expect(html).toContain("This link is not complete: its end is missing. Open it again from the mail");
        expect(html).not.toMatch(/<(?:form|input|button|script)/);
        expect(response.headers.get("content-security-policy")).toContain("script-src 'none'");
      }
    },
  );

  test("every field has its label", async () => {
    const pages = await Promise.all(
      ["/app/reset-password", "/app/invitations"].map(async (path) => (await get(`${path}?token=t`)).text()),
    );
    const ids = pages.flatMap((html) =>
      [...html.matchAll(/<input id="(\w+)"/g)].map((match) => [html, match[1]]),
    );
    expect(ids.length).toBe(6);
    for (const [html, id] of ids) expect(html).toContain(`<label for="${id}">`);
  });
});

test("what is refused outside of the API is a page for browsers, and JSON for programs", async () => {
  const browsers = "text/html,application/xhtml+xml,*/*;q=0.8";
  const page = await get("/nowhere", { accept: browsers });
  expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'none'");
  expect(page.headers.get("x-request-id")).not.toBeNull();
  expect(await page.text()).toContain("Nothing is here");
  for (const [path, accept] of [
    ["/nowhere", "*/*"],
    ["/api/v1/nowhere", browsers],
  ] as const)
    expect(await (await get(path, { accept })).json()).toMatchObject({ error: { code: "not_found" } });
});

describe("the captured mail", () => {
  test("has a page that runs its own script and nothing else, and shows no mail but as text", async () => {
    for (const path of ["/inbox", `/inbox/${mail.id}`]) {
      const response = await get(path);
      const html = await response.text();
      const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
      const hash = createHash("sha256").update(script).digest("base64");
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain(`script-src 'sha256-${hash}'`);
      expect(policy).toContain("frame-src 'self'");
      expect(() => new Function(script)).not.toThrow();
      expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
      expect(html).not.toContain("alert(1)");
    }
    const gone = await get("/inbox/none");
    expect([gone.status, (await gone.text()).includes('id="mails"')]).toEqual([404, true]);
  });

  test("has its HTML in a document that runs nothing, and loads pictures only where asked to", async () => {
    mails = [
      { ...mail, html: '<a href="https://shop.example">Shop</a><img src="https://shop.example/p.gif">' },
    ];
    const closed = await get(`/inbox/${mail.id}/html`);
    expect(await closed.text()).toContain('<base target="_blank"><a href="https://shop.example">');
    const policy = closed.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("sandbox allow-popups allow-popups-to-escape-sandbox");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(policy).toMatch(/img-src data:(?:;|$)/);
    const open = await get(`/inbox/${mail.id}/html?pictures=1`);
    expect(open.headers.get("content-security-policy")).toContain("img-src data: https: http:");
    mails = [mail];
  });

  test("is there as JSON, and not twice for who has it", async () => {
    const list = await get("/inbox.json");
    expect(await list.json()).toEqual([mail]);
    const again = await get("/inbox.json", { "if-none-match": list.headers.get("etag") ?? "" });
    expect(again.status).toBe(304);
    const detail = await (await get(`/inbox/${mail.id}.json`)).json();
    expect(detail).toMatchObject({
      ...mail,
      all_headers: [{ name: "Subject", value: "<script>alert(1)</script>" }],
      source_size: mail.source.length,
      html_size: mail.html.length,
      has_remote_pictures: false,
    });
    expect((await get("/inbox/none.json")).status).toBe(404);
  });

  test("gives its files and its source to be kept, and shows its own pictures", async () => {
    const source = [
      "Content-Type: multipart/related; boundary=b",
      "",
      "--b",
      "Content-Type: text/html",
      "",
      '<img src="cid:logo@shop.example">',
      "--b",
      "Content-Type: image/png",
      "Content-Transfer-Encoding: base64",
      "Content-ID: <logo@shop.example>",
      "Content-Disposition: inline; filename=logo.png",
      "",
      "iVBORw==",
      "--b",
      "Content-Type: text/html; name=page.html",
      "Content-Transfer-Encoding: base64",
      "Content-Disposition: attachment; filename=page.html",
      "",
      Buffer.from("<script>alert(3)</script>").toString("base64"),
      "--b--",
      "",
    ].join("\r\n");
    const attachments = [
      { filename: "logo.png", contentType: "image/png", size: 4 },
      { filename: "page.html", contentType: "text/html", size: 25 },
    ];
    mails = [{ ...mail, html: '<img src="cid:logo@shop.example">', attachments, source }];
    expect(await (await get(`/inbox/${mail.id}/html`)).text()).toContain(
      'src="data:image/png;base64,iVBORw=="',
    );
    const file = await get(`/inbox/${mail.id}/attachments/1`);
    expect(await file.text()).toBe("<script>alert(3)</script>");
    expect(file.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''page.html");
    expect(file.headers.get("content-type")).toBe("application/octet-stream");
    expect((await get(`/inbox/${mail.id}/attachments/2`)).status).toBe(404);
    expect(await (await get(`/inbox/${mail.id}/source`)).text()).toBe(source);
    mails = [mail];
  });

  test("is for this machine's own pages only", async () => {
    const { createDispatcher } = await import("../server/dispatch.ts");
    const dispatcher = createDispatcher(server.world.posthorn, { inbox });
    const ask = async (headers: Record<string, string>, ip = "127.0.0.1") =>
      (
        await dispatcher.dispatch({
          method: "GET",
          target: "/inbox.json",
          headers,
          repeatedAuthorization: false,
          ip,
          readBody: async () => new Uint8Array(),
          openBody: async function* () {},
        })
      ).status;
    expect(await ask({ host: "evil.example:8080" })).toBe(404);
    expect(await ask({ host: "127.0.0.1:8080", "sec-fetch-site": "cross-site" })).toBe(404);
    expect(await ask({ host: "[::1]:8080" })).toBe(200);
    expect(await ask({ host: "localhost", "x-forwarded-for": "203.0.113.7" })).toBe(404);
    expect(await ask({ host: "localhost" }, "203.0.113.7")).toBe(404);
    expect(await ask({ host: "localhost" }, "unknown")).toBe(404);
  });

  test("is not there unless it is asked for", async () => {
    const plain = await startServer();
    expect((await fetch(`${plain.url}/inbox.json`)).status).toBe(404);
    await plain.close();
  });

  test("can be forgotten, by its own form only", async () => {
    const post = (body: URLSearchParams) =>
      fetch(`${server.url}/inbox/clear`, { method: "POST", redirect: "manual", body });
    expect((await post(new URLSearchParams({ token: "" }))).status).toBe(403);
    expect((await post(new URLSearchParams())).status).toBe(403);
    expect(mails).toEqual([mail]);
    const token = /name="token" value="([\w-]{24})"/.exec(await (await get("/inbox")).text())?.[1] ?? "";
    const response = await post(new URLSearchParams({ token }));
    expect([response.status, response.headers.get("location"), mails]).toEqual([303, "../inbox", []]);
    mails = [mail];
  });
});

test("the first page of a development server shows its key to this machine alone, and is nowhere else", async () => {
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
  const proxied = await fetch(`${dev.url}/`, { headers: { "x-forwarded-for": "203.0.113.7" } });
  expect(proxied.status).toBe(404);
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

  test("have a page that runs its own script alone, and are listed once for each change", async () => {
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

  test("are rendered, their HTML in a document that runs nothing", async () => {
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

  test("are sent by the page alone, and seen by callers of this machine alone", async () => {
    const token = /data-token="([^"]+)"/.exec(await (await at("")).text())?.[1] ?? "";
    const post = (body: string) => at("/send?name=hi%20%26%20bye", { method: "POST", body });
    expect((await post("token=guessed")).status).toBe(403);
    expect(sent).toEqual([]);
    expect((await post(`token=${token}`)).status).toBe(204);
    expect(sent).toEqual(["hi & bye"]);
    expect((await at(".json", { headers: { "x-forwarded-for": "203.0.113.1" } })).status).toBe(404);
  });
});
