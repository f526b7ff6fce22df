import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningCommand, startCommand } from "../packages/cli/test/run-command.ts";
import { lastingFaultsOf } from "./lasting-faults-of.ts";
import { browserPath, openBrowser, openPage } from "./open-browser.ts";

if (browserPath === undefined)
  console.log(
    "The pages are not tried: there is no Chromium here. Install it, or name it with CHROMIUM=path.",
  );

const pages = [
  "",
  "inbox",
  "mail",
  "previews",
  "docs",
  "docs.html",
  "unsubscribe",
  "app/verify-email?token=t",
  "app/reset-password?token=t",
  "app/invitations?token=t",
  "nowhere",
];
const looks = [
  { width: 390, height: 844, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
  { width: 1280, height: 800, scheme: "light" },
  { width: 1280, height: 800, scheme: "dark" },
];

/** Selector of an element that shows that a polling page is loaded, because its connections are never idle. */
function shownBy(path: string, width: number): string | undefined {
  if (path === "mail") return "#mail #panel";
  if (path !== "inbox" && path !== "previews") return undefined;
  // With enough room, the first item of the list is open.
  return width < 768 ? "#mails a" : "#mail #panel";
}

/** Folder for screenshots of all pages. */
const { PICTURES: pictures = "" } = process.env;

describe.skipIf(browserPath === undefined)("the pages in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-pages-"));
  let server: RunningCommand;
  let browser: Browser;
  let url = "";
  let send: (verb: "send" | "send-template", fields: object) => Promise<void>;
  const template = join(folder, "mail", "news.html");
  /** Paths that only the server knows. */
  const found = { mail: "", unsubscribe: "" };

  beforeAll(async () => {
    if (pictures !== "") mkdirSync(pictures, { recursive: true });
    mkdirSync(join(folder, "mail"));
    writeFileSync(template, "<h1>News for {{name}}</h1>");
    writeFileSync(join(folder, "mail", "news.json"), '{"subject": "News", "sample_data": {"name": "Grace"}}');
    server = startCommand(["dev", "mail", "--port", "0"], { cwd: folder });
    const [[, at = ""], opened] = await Promise.all([
      server.waitForStderr(/Listening on (\S+)/),
      openBrowser(browserPath ?? ""),
    ]);
    url = at;
    browser = opened;
    const [key = ""] = await server.waitForStderr(/sk_\w{40}/);
    send = async (verb, fields) => {
      const { status } = await fetch(`${url}/api/v1/emails/${verb}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(fields),
      });
      expect(status).toBe(202);
    };
    await send("send-template", {
      template: "welcome",
      to: ["ada@example.com"],
      template_data: { name: "Ada" },
      unsubscribe: { list: "news" },
    });
    const [, path = ""] = await server.waitForStderr(/(inbox\/[\w-]+)\s/);
    found.mail = path;
    const source = await (await fetch(`${url}/${path}/source`)).text();
    found.unsubscribe = /<[^>]*\/(u\/[^>]+)>/.exec(source.replace(/\r\n[ \t]+/g, ""))?.[1] ?? "";
  });
  afterAll(async () => {
    await browser?.close();
    server?.child.kill("SIGTERM");
    await server?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  test.concurrent.each(pages)(
    "/%s has no axe findings, at both widths, in light and dark mode",
    async (path) => {
      const page = await openPage(browser);
      const said: string[] = [];
      page.on("console", (message) => {
        // A page that says that something is missing has that status.
        const isExpected = path === "nowhere" && message.text().includes("status of 404");
        if (message.type() === "error" && !isExpected) said.push(message.text());
      });
      page.on("pageerror", (error) => said.push(String(error)));
      const faults: string[] = [];
      for (const { scheme, ...size } of looks) {
        const look = `${scheme} ${size.width}`;
        const shown = shownBy(path, size.width);
        await page.setViewport(size);
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        await page.goto(`${url}/${Object.hasOwn(found, path) ? found[path as keyof typeof found] : path}`, {
          waitUntil: shown === undefined ? "networkidle0" : "load",
        });
        if (shown !== undefined) await page.waitForSelector(shown);
        faults.push(...(await lastingFaultsOf(page)).map((fault) => `${look}: ${fault}`));
        if (pictures !== "")
          await page.screenshot({
            path: join(pictures, `${path.replace(/[/?]/g, "-") || "home"}-${look}.png`),
          });
      }
      await page.close();
      expect([...faults, ...said]).toEqual([]);
    },
  );

  test("the inbox keeps the chosen tab behind an e-mail without HTML, and the focus when one comes", async () => {
    const page = await openPage(browser);
    await page.setViewport({ width: 1280, height: 800 });
    await send("send", { to: ["first@example.com"], subject: "First", html: "<p>First</p>" });
    await send("send", { to: ["second@example.com"], subject: "Second", text: "Second" });
    await page.goto(`${url}/inbox`);
    const open = async (subject: string, part: "html" | "text") => {
      // A locator tries again if the list is drawn anew meanwhile.
      await page.locator(`#mails a::-p-text(${subject})`).click();
      await page.waitForSelector(`h2::-p-text(${subject}) ~ #panel.${part}`);
    };
    await open("Second", "text");
    await open("First", "html");
    await page.focus("#mails a[aria-current]");
    const focused = (): Promise<unknown> => page.evaluate("document.activeElement.textContent");
    expect(await focused()).toContain("First");
    await send("send", { to: ["third@example.com"], subject: "Third", text: "Third" });
    await page.waitForSelector("#mails a::-p-text(Third)");
    expect(await focused()).toContain("First");
    await page.close();
  });

  test("the inbox keeps the focus behind a button that draws the e-mail anew, and its place behind Back", async () => {
    const page = await openPage(browser);
    const picture = '<p>With a picture</p><img src="https://example.com/a.png" alt="">';
    const shows = (): Promise<unknown> =>
      page.evaluate(`[document.activeElement.id || document.activeElement.textContent.match(/Pictured/)?.[0],
        document.querySelector("h2")?.textContent, document.querySelector("[aria-current] strong")?.textContent]`);
    const press = async (selector: string): Promise<void> => {
      await page.waitForSelector(selector, { visible: true });
      await page.focus(selector);
      await page.keyboard.press("Enter");
    };
    await page.setViewport({ width: 1280, height: 800 });
    await page.goto(`${url}/inbox`);
    await send("send", { to: ["a@example.com"], subject: "Pictured", html: picture });
    await page.waitForSelector("#mails a::-p-text(Pictured)");
    await send("send", { to: ["b@example.com"], subject: "Newest", text: "Newest" });
    await page.waitForSelector("#mails a::-p-text(Newest)");
    await page.reload();
    await page.waitForSelector("h2::-p-text(Newest)");
    await page.locator("#mails a::-p-text(Pictured)").click();
    await page.waitForSelector("h2::-p-text(Pictured)");
    await press("#width-Phone");
    await page.waitForSelector(".frame.narrow");
    expect(await shows()).toEqual(["width-Phone", "Pictured", "Pictured"]);
    await press("#pictures");
    await page.waitForSelector("iframe[src$='?pictures=1']");
    expect(await shows()).toEqual(["pictures", "Pictured", "Pictured"]);
    await page.goBack();
    await expect.poll(async () => String(await shows())).toMatch(/,Newest,Newest$/);
    await page.setViewport({ width: 390, height: 844 });
    await page.goto(`${url}/inbox`);
    await page.locator("#mails a::-p-text(Pictured)").click();
    await press(".back");
    await expect.poll(shows).toEqual(["Pictured", "Pictured", null]);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".back", { visible: true });
    await page.keyboard.press("Escape");
    await page.waitForSelector(".back", { hidden: true });
    await expect.poll(shows).toEqual(["Pictured", "Pictured", null]);
    await page.close();
  });

  test("a page of an account says when the service can't be reached, and forgets it with the next form", async () => {
    const page = await openPage(browser);
    await page.goto(`${url}/app/invitations?token=t`);
    await page.setOfflineMode(true);
    await page.type("#email", "ada@example.com");
    await page.type("#password", "a long enough pass phrase");
    await page.click("#go");
    const shows = (): Promise<unknown> => page.evaluate("document.getElementById('said').textContent");
    await expect.poll(shows).toBe("The service can't be reached.");
    await page.click("#new");
    expect(await shows()).toBe("");
    expect(await page.evaluate("document.getElementById('password').autocomplete")).toBe("new-password");
    // Registering responds alike for an address that has an account, with another password.
    await page.evaluate(`fetch = async (path) => path.endsWith("/register")
      ? Response.json({ data: {} })
      : Response.json({ error: { message: "The password is wrong." } }, { status: 401 })`);
    await page.type("#name", "Ada");
    await page.click("#go");
    await expect.poll(shows).toBe("The password is wrong.");
    expect(await page.evaluate("document.getElementById('go').textContent")).toBe("Log in");
    await page.close();
  });

  test("a page of an account moves the focus on, and offers nothing behind a link that is over", async () => {
    const page = await openPage(browser);
    await page.goto(`${url}/app/invitations?token=t`);
    const answer = (status: number, body: object) =>
      page.evaluate(`fetch = async () => Response.json(${JSON.stringify(body)}, { status: ${status} })`);
    const shows = (): Promise<unknown> =>
      page.evaluate(`[document.activeElement.id, document.getElementById("said").textContent,
        [...document.querySelectorAll("button")].filter((each) => each.checkVisibility()).length]`);
    await answer(401, { error: { message: "The password is wrong." } });
    await page.type("#email", "ada@example.com");
    await page.type("#password", "a long enough pass phrase");
    await page.focus("#go");
    await page.keyboard.press("Enter");
    await expect.poll(shows).toEqual(["go", "The password is wrong.", 2]);
    await answer(200, { data: { token: "t" } });
    await page.keyboard.press("Enter");
    await expect.poll(shows).toEqual(["accept", "You are logged in. Do you want to join?", 2]);
    const foreign = { code: "invitation_for_another_user", message: "It is addressed to someone else." };
    await answer(403, { error: foreign });
    await page.keyboard.press("Enter");
    await expect.poll(shows).toEqual(["email", "It is addressed to someone else.", 2]);
    await answer(200, { data: { token: "t" } });
    await page.keyboard.press("Enter");
    await expect.poll(shows).toEqual(["accept", "You are logged in. Do you want to join?", 2]);
    const over = { code: "already_member", message: "This person is a member already." };
    await answer(409, { error: over });
    await page.keyboard.press("Enter");
    await expect.poll(shows).toEqual(["", "This person is a member already.", 0]);
    await page.goto(`${url}/app/invitations?token=t`);
    const unknown = { path: "invitation_token", message: "is unknown; ask to be invited again" };
    await answer(400, { error: { message: "invitation_token: is unknown", details: [unknown] } });
    await page.click("#new");
    for (const [field, text] of Object.entries({ name: "Ada", email: "ada@example.com", password: "no" }))
      await page.type(`#${field}`, text);
    await page.keyboard.press("Enter");
    await expect.poll(shows).toEqual(["", "This link is unknown; ask to be invited again.", 0]);
    await page.close();
  });

  test("a saved template, or its error, appears without a reload", async () => {
    const page = await openPage(browser);
    await page.setViewport({ width: 1280, height: 800 });
    // An address that encodes nothing shows a template all the same.
    await page.goto(`${url}/previews#%`, { waitUntil: "load" });
    await page.waitForSelector("#mail h2");
    await page.goto(`${url}/previews#news`, { waitUntil: "load" });
    const shows = async (words: string): Promise<boolean> => {
      const frame = page.frames().find((each) => each.url().includes("/previews/html"));
      return String(await frame?.evaluate("document.body.innerText").catch(() => "")).includes(words);
    };
    await expect.poll(() => shows("News for Grace")).toBe(true);
    writeFileSync(template, "<h1>Old news for {{name}}</h1>");
    await expect.poll(() => shows("Old news for Grace")).toBe(true);
    writeFileSync(template, "<h1>\n{{#open}}</h1>");
    const fault = await page.waitForSelector("[role=alert]");
    expect(await fault?.evaluate(({ textContent }) => textContent)).toBe(
      'mail/news.html:2:1: Section "open" is never closed.',
    );
    // The fault is in a frame, which is still loading.
    await expect.poll(() => shows("Old news for Grace")).toBe(true);
    if (pictures !== "") await page.screenshot({ path: join(pictures, "previews-fault.png") });
    await page.close();
  });

  test("the inbox tells of a server that does not answer, and asks before it deletes", async () => {
    const page = await openPage(browser);
    await page.goto(`${url}/inbox`);
    await page.waitForSelector("#mails a");
    await page.setOfflineMode(true);
    await page.waitForSelector("[role=status]::-p-text(does not answer)");
    await page.setOfflineMode(false);
    const asked: string[] = [];
    for (const answer of ["dismiss", "accept"] as const) {
      page.once("dialog", (dialog) => {
        asked.push(dialog.message());
        void dialog[answer]();
      });
      await page.click("#clear");
    }
    await page.waitForSelector("#none::-p-text(No e-mails yet)");
    expect(asked).toEqual([expect.stringMatching(/^Delete all \d+ e-mails\?$/), asked[0]]);
    await page.close();
  });
});
