import { existsSync } from "node:fs";
import { type Browser, launch, type Page } from "puppeteer-core";

/** Usual paths of the browser; `CHROMIUM` names another. */
const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Timeout for anything that hangs, a little shorter than a test's. */
const patienceMs = 100_000;

/** Returns the path of this machine's browser; `undefined` if there is none. */
export const browserPath: string | undefined = [process.env["CHROMIUM"] ?? "", ...places].find(
  (path) => path !== "" && existsSync(path),
);

/** Starts the browser without a window. Names below `.test` resolve to this machine. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const names = "--host-resolver-rules=MAP *.test 127.0.0.1";
  // As root, such as in a container, its own sandbox does not start; it only opens our pages.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return await launch({ executablePath, args: [...args, names], timeout: patienceMs });
}

/** Opens a page with a timeout long enough for a busy machine. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(patienceMs);
  return page;
}
