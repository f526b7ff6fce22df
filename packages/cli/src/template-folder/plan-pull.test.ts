import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { planPull } from "./plan-pull.ts";

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-pull-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const files = new Map([
  ["News.txt", "one"],
  ["news.txt", "other"],
]);

test("refuses two names that are one file, as on a disk that ignores case", async () => {
  const folder = openFolder();
  expect((await planPull(folder, files)).changes).toHaveLength(2);
  writeFileSync(join(folder, "News.txt"), "one");
  expect(await planPull(folder, files)).toMatchObject({ overwrites: 0 });
  linkSync(join(folder, "News.txt"), join(folder, "news.txt"));
  await expect(planPull(folder, files)).rejects.toMatchObject({
    failure: "conflict",
    message: "News.txt and news.txt are one file on this disk.",
  });
});

test("overwrites no file that changed after it was compared", async () => {
  const folder = openFolder();
  const { changes } = await planPull(folder, files);
  const [first, second] = changes;
  await first?.apply();
  writeFileSync(join(folder, "news.txt"), "mine");
  await expect(second?.apply()).rejects.toMatchObject({ failure: "conflict" });
  expect(readFileSync(join(folder, "news.txt"), "utf8")).toBe("mine");
});
