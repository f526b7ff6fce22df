import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AccountPage,
  invitationPage,
  verifyEmailPage,
} from "../packages/http/src/pages/account-pages.ts";
import { browserPath, openBrowser, openPage } from "./open-browser.ts";

describe.skipIf(browserPath === undefined)("the pages of accounts", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(browserPath ?? "");
  });
  afterAll(() => browser?.close());

  /** Opens a page that no server serves: each call of the API is refused. */
  async function open({ page: { html } }: AccountPage, { scripts = true } = {}): Promise<Page> {
    const page = await openPage(browser);
    await page.setJavaScriptEnabled(scripts);
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const fault = { path: "name", message: "must not be empty" };
      if (request.method() === "GET") void request.respond({ body: html, contentType: "text/html" });
      else
        void request.respond({
          status: 400,
          contentType: "application/json",
          body: JSON.stringify({ error: { message: "name: must not be empty", details: [fault] } }),
        });
    });
    await page.goto("http://pages.test/app?token=t");
    return page;
  }

  const describes = async (page: Page, selector: string): Promise<string> => {
    const root = await page.$(selector);
    const node = await page.accessibility.snapshot({ interestingOnly: false, ...(root && { root }) });
    return node?.description ?? "";
  };

  test("tell a screen reader how long a new password is, and nothing of that with a known one or another field", async () => {
    const rule = "At least 12 characters.";
    const verify = await open(verifyEmailPage({ passwordMinLength: 12 }));
    expect(await describes(verify, "#password")).toBe("");
    await verify.click("#other");
    expect(await describes(verify, "#password")).toBe(rule);
    await verify.click("#other");
    expect(await describes(verify, "#password")).toBe("");
    const invitation = await open(invitationPage({ passwordMinLength: 12 }));
    expect(await describes(invitation, "#password")).toBe("");
    await invitation.click("#new");
    expect(await describes(invitation, "#password")).toBe(rule);
    for (const field of ["name", "email", "password"]) await invitation.type(`#${field}`, "a@b.example");
    await invitation.keyboard.press("Enter");
    await expect.poll(() => describes(invitation, "#name")).toBe("Your name: must not be empty.");
    await invitation.click("#new");
    expect(await describes(invitation, "#password")).toBe("");
  });

  test("show no form without JavaScript, which would lead to the page of an incomplete link", async () => {
    const page = await open(verifyEmailPage({ passwordMinLength: 12 }), { scripts: false });
    expect(await (await page.$("main"))?.evaluate(({ textContent }) => textContent)).toContain(
      "needs JavaScript",
    );
    expect(await (await page.$("#password"))?.isVisible()).toBe(false);
  });
});
