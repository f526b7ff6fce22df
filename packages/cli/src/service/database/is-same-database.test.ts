import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testPostgresUrl, withParameters } from "../../../../storage-postgres/test/open-test-storage.ts";
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

test("one PostgreSQL database under two URLs is found to be one, and another on the same server is not", async () => {
  const databaseUrl = await testPostgresUrl();
  const otherName = withParameters(databaseUrl, { application_name: "other" });
  const maintenance = new URL(databaseUrl);
  maintenance.pathname = "/template1";
  expect(await isSameDatabase(databaseUrl, otherName)).toBe(true);
  expect(await isSameDatabase(databaseUrl, maintenance.href)).toBe(false);
  expect(await isSameDatabase(databaseUrl, "sqlite:a.db")).toBe(false);
});
