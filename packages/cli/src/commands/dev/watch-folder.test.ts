import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { watchFolder } from "./watch-folder.ts";

async function watch() {
  const root = mkdtempSync(join(tmpdir(), "posthorn-watched-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "mail");
  mkdirSync(join(folder, "parts"), { recursive: true });
  const onChange = vi.fn();
  const onTrouble = vi.fn();
  const watching = await watchFolder(folder, { onChange, onTrouble, everyMs: 2 });
  onTestFinished(watching.stop);
  return { root, folder, onChange, onTrouble };
}

test("reports a saved file once it is complete, subfolders included", async () => {
  const { folder, onChange, onTrouble } = await watch();
  writeFileSync(join(folder, "welcome.html"), "Hi");
  await expect.poll(() => onChange.mock.calls.length).toBe(1);
  writeFileSync(join(folder, "parts", "button.tsx"), "export const a = 1;");
  await expect.poll(() => onChange.mock.calls.length).toBe(2);
  rmSync(join(folder, "welcome.html"));
  await expect.poll(() => onChange.mock.calls.length).toBe(3);
  expect(onTrouble).not.toHaveBeenCalled();
});

test("reports a removed folder once, and its contents as new when it is back", async () => {
  const { root, folder, onChange, onTrouble } = await watch();
  renameSync(folder, join(root, "away"));
  await expect.poll(() => onTrouble.mock.calls).toEqual([[`There is no folder ${folder}`]]);
  writeFileSync(join(root, "away", "welcome.html"), "Hi");
  renameSync(join(root, "away"), folder);
  await expect.poll(() => onChange.mock.calls.length).toBe(1);
});
