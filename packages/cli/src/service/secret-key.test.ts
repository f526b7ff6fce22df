import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findOrMakeSecretKey } from "./secret-key.ts";

vi.mock(import("node:fs"), async (load) => {
  const real = await load();
  return { ...real, writeFileSync: vi.fn(real.writeFileSync) };
});

test("a new key is on the disk before anything is encrypted with it, and only its owner reads it", () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const values = { secret_key: undefined, database_url: `sqlite:${join(folder, "mail.db")}` };
  const key = findOrMakeSecretKey(values);
  expect(readFileSync(join(folder, "mail.secret"), "utf8")).toBe(`${key}\n`);
  expect(vi.mocked(writeFileSync).mock.lastCall?.[2]).toEqual({ mode: 0o600, flag: "wx", flush: true });
  expect(findOrMakeSecretKey(values)).toBe(key);
});
