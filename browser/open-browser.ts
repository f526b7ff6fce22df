import { existsSync } from "node:fs";
import { type Browser, launch, type Page } from "puppeteer-core";

/** Where systems put it; `CHROMIUM` names another. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** For what hangs, a little less than a test has. */
const patienceMs = 100_000;

/** The browser of this machine; `undefined` where there is none. */
export const browserPath: string | undefined = [process.env["CHROMIUM"] ?? "", ...places].find(
  (path) => path !== "" && existsSync(path),
);

/** Starts it, without a window. Names below `.test` lead to this machine. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const names = "--host-resolver-rules=MAP *.test 127.0.0.1";
  // As root, in a container for instance, its own sandbox does not start; it opens nothing but our pages.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await launch({ executablePath, args: [...args, names], timeout: patienceMs });
}

/** Opens a page that has time, however busy the machine is. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}
