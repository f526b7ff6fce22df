import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isSameDatabase } from "./is-same-database.ts";

test("a file is one database by all of its names, and another file is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-same-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const urlOf = (name: string): string => `sqlite:${join(folder, name)}`;
  for (const name of ["mail.db", "other.db"]) writeFileSync(join(folder, name), "");
  symlinkSync("mail.db", join(folder, "link.db"));
  linkSync(join(folder, "mail.db"), join(folder, "second.db"));
  const names = ["mail.db", "./mail.db", "link.db", "second.db", "other.db", "none.db"];
  const same = names.map((name) => isSameDatabase(urlOf("mail.db"), urlOf(name)));
  expect(await Promise.all(same)).toEqual([true, true, true, true, false, false]);
});
