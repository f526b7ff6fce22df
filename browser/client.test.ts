import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCommand, startCommand } from "../packages/cli/test/run-command.ts";
import { browserPath, openBrowser, openPage } from "./open-browser.ts";

/** A page of an application that uses the client, logged in and not. */
const program = `
  import { ApiError, createClient } from "./index.ts";
  globalThis.work = async (url, { email, password, api_key }) => {
    const codeOf = (call) => call.then(() => "done", (error) => (error instanceof ApiError ? error.code : String(error)));
    const client = createClient(url, { retries: 0 });
    const refused = await codeOf(client.request("POST /auth/login", { email, password: "no" }));
    if (refused === "unreachable") return { refused };
    const { token } = await client.request("POST /auth/login", { email, password });
    const asUser = client.with({ token, workspaceId: 1 });
    await asUser.request("PUT /workspaces/current/settings", { default_sender_name: "Browser" }).catch(() => {});
    await asUser.request("POST /workspaces/current/suppressions", { email: "gone@example.com" });
    const file = new TextDecoder().decode(await asUser.request("GET /workspaces/current/suppressions/export", { format: "csv" }));
    const mail = { to: ["grace@example.com"], subject: "From a page", text: "Hello.", dedupe_key: "once" };
    const asProgram = client.with({ apiKey: api_key });
    let told = 0;
    for (const _ of [1, 2]) await asProgram.send(mail, { onDeduplicated: () => (told += 1) });
    const subjects = [];
    for await (const { subject } of asUser.list("GET /workspaces/current/emails")) subjects.push(subject);
    return { refused, isSecure: isSecureContext, file: file.includes("gone@example.com"), told, subjects };
  };
`;

describe.skipIf(browserPath === undefined)("the client in a page of another origin", () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-client-"));
  let pages: Server;
  let server: RunningCommand;
  let browser: Browser;
  let url = "";
  let port = 0;

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: program, resolveDir: resolve(import.meta.dirname, "../packages/client/src") },
      bundle: true,
      write: false,
      platform: "browser",
      format: "iife",
    });
    const script = outputFiles[0]?.text ?? "";
    pages = createServer((_, response) =>
      response
        .setHeader("content-type", "text/html")
        .end(`<!doctype html><title>Shop</title><script>${script}</script>`),
    ).listen(0, "127.0.0.1");
    await new Promise((done) => pages.once("listening", done));
    ({ port } = pages.address() as AddressInfo);
    server = startCommand(["dev", "--port", "0"], {
      cwd: folder,
      env: { SERVICE_CORS_ORIGINS: `http://shop.test:${port}, http://localhost:${port}` },
    });
    const [[, at = ""], opened] = await Promise.all([
      server.waitForStderr(/Listening on (\S+)/),
      openBrowser(browserPath ?? ""),
    ]);
    url = at;
    browser = opened;
    await server.waitForStderr(/sk_\w{40}/);
  });
  afterAll(async () => {
    await browser?.close();
    pages?.close();
    server?.child.kill("SIGTERM");
    await server?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const workAt = async (origin: string): Promise<unknown> => {
    const login = readFileSync(join(folder, ".posthorn", "dev.json"), "utf8");
    const page = await openPage(browser);
    await page.goto(origin);
    const result = await page.evaluate(`work(${JSON.stringify(url)}, ${login})`);
    await page.close();
    return result;
  };

  test("works from an allowed origin, in secure and insecure contexts", async () => {
    const done = {
      refused: "invalid_credentials",
      file: true,
      subjects: expect.arrayContaining(["From a page"]),
    };
    expect(await workAt(`http://localhost:${port}`)).toMatchObject({ ...done, isSecure: true });
    // Another name of this machine is not a secure context and has no `crypto.randomUUID`.
    expect(await workAt(`http://shop.test:${port}`)).toMatchObject({ ...done, isSecure: false, told: 2 });
  });

  test("is refused from any other origin", async () => {
    expect(await workAt(`http://other.test:${port}`)).toEqual({ refused: "unreachable" });
  });
});
