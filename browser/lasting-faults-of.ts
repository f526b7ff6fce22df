import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Returns what is still wrong after 15 s: the reference renders parts of itself after the network is idle. */
export async function lastingFaultsOf(page: Page): Promise<string[]> {
  const end = performance.now() + 15_000;
  let faults = await faultsOf(page);
  while (faults.length > 0 && performance.now() < end) faults = await faultsOf(page);
  return faults;
}

/** Returns axe's findings, and whether anything makes the page scroll sideways. */
async function faultsOf(page: Page): Promise<string[]> {
  const over = Number(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
  );
  const wide = over > 0 ? [`${over} px too wide`] : [];
  // Runs beside the page's own scripts, bypassing its content security policy.
  await page.evaluate(axe);
  const found = (await page.evaluate("axe.run()")) as {
    violations: { id: string; nodes: { target: unknown }[] }[];
  };
  return [
    ...wide,
    ...found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join("; ")}`),
  ];
}
