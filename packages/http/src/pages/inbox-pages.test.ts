import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { captured, get, inbox, mail, servePages, server } from "../../test/pages.ts";
import { startServer } from "../../test/start-server.ts";

servePages();

describe("the captured e-mails", () => {
  test("have a page that runs its own script only, and shows e-mails as text only", async () => {
    for (const path of ["/inbox", `/inbox/${mail.id}`]) {
      const response = await get(path);
      const html = await response.text();
      const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
      const hash = createHash("sha256").update(script).digest("base64");
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain(`script-src 'sha256-${hash}'`);
      expect(policy).toContain("frame-src 'self'");
      // The tab's icon.
      expect(html).toContain('<link rel="icon" href="data:image/svg+xml,');
      expect(policy).toMatch(/img-src data:(?:;|$)/);
      expect(() => new Function(script)).not.toThrow();
      expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/);
      expect(html).not.toContain("alert(1)");
      // From it the script tells that these are the newest e-mails, and that older ones are gone.
      expect(html).toContain('data-limit="500"');
      expect(script).toContain("document.body.dataset.limit");
    }
    const gone = await get("/inbox/none");
    expect([gone.status, (await gone.text()).includes('id="mails"')]).toEqual([404, true]);
  });

  test("show their HTML in a document that runs no script, and loads images only on request", async () => {
    captured.mails = [
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
    captured.mails = [mail];
  });

  test("show HTML that begins with a doctype as that says", async () => {
    captured.mails = [{ ...mail, html: "\n<!DOCTYPE html>\n<p>Shop</p>" }];
    const shown = await get(`/inbox/${mail.id}/html`);
    expect(await shown.text()).toBe('\n<!DOCTYPE html><base target="_blank">\n<p>Shop</p>');
    captured.mails = [mail];
  });

  test("are available as JSON, with 304 if unchanged", async () => {
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

  test("list recipients with their names by the field that names them, and those that none names as blind copies", async () => {
    const source = [
      "To: Ada <ADA@example.com>,",
      " bob@xn--bcher-kva.example",
      "Cc: =?utf-8?q?Zo=C3=AB?= <zoe@example.com>",
      "Reply-To: eve@example.com",
      "",
      "eve@example.com",
    ].join("\r\n");
    const to = ["ada@example.com", "bob@bücher.example", "zoe@example.com", "eve@example.com"];
    captured.mails = [{ ...mail, to, source }];
    const detail = (await (await get(`/inbox/${mail.id}.json`)).json()) as Record<string, unknown>;
    const { addressed, all_headers: all } = detail;
    expect(all).toContainEqual({ name: "Cc", value: "Zoë <zoe@example.com>" });
    expect(addressed).toEqual({
      to: ["Ada <ada@example.com>", "bob@bücher.example"],
      cc: ["Zoë <zoe@example.com>"],
      bcc: ["eve@example.com"],
    });
    captured.mails = [mail];
  });

  test("offer the source of a mail to an address beyond ASCII as it would be sent", async () => {
    const source = "To: 中村@example.jp\r\nSubject: Hello\r\n\r\nHello\r\n";
    captured.mails = [{ ...mail, source }];
    expect(await (await get(`/inbox/${mail.id}/source`)).text()).toBe(source);
    expect(await (await get(`/inbox/${mail.id}.json`)).json()).toMatchObject({
      source_size: Buffer.byteLength(source),
    });
    captured.mails = [mail];
  });

  test("offer attachments and source for download, and show inline images", async () => {
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
    // A URL may encode any character; `%` alone encodes none.
    for (const id of ["logo@shop.example", "logo%40shop.example"]) {
      captured.mails = [{ ...mail, html: `<img src="cid:${id}"><img src="cid:50%">`, attachments, source }];
      expect(await (await get(`/inbox/${mail.id}/html`)).text()).toContain(
        '<img src="data:image/png;base64,iVBORw=="><img src="cid:50%">',
      );
    }
    const file = await get(`/inbox/${mail.id}/attachments/1`);
    expect(await file.text()).toBe("<script>alert(3)</script>");
    expect(file.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''page.html");
    expect(file.headers.get("content-type")).toBe("application/octet-stream");
    expect((await get(`/inbox/${mail.id}/attachments/2`)).status).toBe(404);
    expect(await (await get(`/inbox/${mail.id}/source`)).text()).toBe(source);
    captured.mails = [mail];
  });

  test("are served to this machine's own pages only", async () => {
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

  test("are served only if an inbox is configured", async () => {
    const plain = await startServer();
    expect((await fetch(`${plain.url}/inbox.json`)).status).toBe(404);
    await plain.close();
  });

  test("can be cleared, by the page's own form only", async () => {
    const post = (body: URLSearchParams) =>
      fetch(`${server.url}/inbox/clear`, { method: "POST", redirect: "manual", body });
    expect((await post(new URLSearchParams({ token: "" }))).status).toBe(403);
    expect((await post(new URLSearchParams())).status).toBe(403);
    expect(captured.mails).toEqual([mail]);
    const token = /name="token" value="([\w-]{24})"/.exec(await (await get("/inbox")).text())?.[1] ?? "";
    const response = await post(new URLSearchParams({ token }));
    expect([response.status, response.headers.get("location"), captured.mails]).toEqual([
      303,
      "../inbox",
      [],
    ]);
    captured.mails = [mail];
  });
});
