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

  test("show no form without JavaScript, which would lead to the page of an incomplete link", async () => {
    const page = await open(verifyEmailPage({ passwordMinLength: 12 }), { scripts: false });
    expect(await (await page.$("main"))?.evaluate(({ textContent }) => textContent)).toContain(
      "needs JavaScript",
    );
    expect(await (await page.$("#password"))?.isVisible()).toBe(false);
  });
});
