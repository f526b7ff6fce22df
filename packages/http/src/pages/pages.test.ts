import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";
import type { InboxMailDetail } from "./capture-inbox.ts";

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

  test("every field has its label", async () => {
    const pages = await Promise.all(
      ["/app/reset-password", "/app/invitations"].map(async (path) => (await get(path)).text()),
    );
    const ids = pages.flatMap((html) =>
      [...html.matchAll(/<input id="(\w+)"/g)].map((match) => [html, match[1]]),
    );
    expect(ids.length).toBe(6);
    for (const [html, id] of ids) expect(html).toContain(`<label for="${id}">`);
  });
});

describe("the captured mail", () => {
  test("is listed and shown, with nothing of it run", async () => {
    const list = await (await get("/inbox")).text();
    expect(list).toContain("&#60;script&#62;alert(1)");
    const response = await get(`/inbox/${mail.id}`);
    const html = await response.text();
    expect(html).toContain('<iframe sandbox="allow-popups allow-popups-to-escape-sandbox"');
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<img");
    expect(response.headers.get("content-security-policy")).toContain("script-src 'none'");
  });

  test("is there as JSON", async () => {
    expect(await (await get("/inbox.json")).json()).toEqual([mail]);
    expect(await (await get(`/inbox/${mail.id}.json`)).json()).toEqual(mail);
    expect((await get("/inbox/none")).status).toBe(404);
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

  test("links its web addresses, and loads pictures only where asked to", async () => {
    mails = [
      {
        ...mail,
        text: "See https://shop.example/a?b=1&c=<x>, or javascript:alert(1).",
        html: '<a href="https://shop.example">Shop</a><img src="https://shop.example/pixel.gif">',
      },
    ];
    const closed = await get(`/inbox/${mail.id}`);
    const html = await closed.text();
    expect(html).toContain(
      '<a href="https://shop.example/a?b=1&#38;c=" target="_blank" rel="noopener noreferrer">',
    );
    expect(html).not.toContain('href="javascript');
    expect(html).toContain('<a href="?pictures=1">Load them</a>');
    expect(closed.headers.get("content-security-policy")).toMatch(/img-src data:(?:;|$)/);
    expect(html).toContain("1 Jan 2030, 00:00 UTC");
    const open = await get(`/inbox/${mail.id}?pictures=1`);
    expect(open.headers.get("content-security-policy")).toContain("img-src data: https: http:");
    mails = [mail];
  });
});
