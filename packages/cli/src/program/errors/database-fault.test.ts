import { spawnSync } from "node:child_process";
import { StorageUnsuited } from "@posthorn/core";
import { expect, test } from "vitest";
import { databaseFault } from "./database-fault.ts";

/** Prints the cause of a file that SQLite can't open: while the process has no descriptor left, and after that. */
const script = `
import { closeSync, openSync } from "node:fs";
import { findCause } from ${JSON.stringify(new URL("./database-fault.ts", import.meta.url))};
const error = Object.assign(new Error("unable to open database file"), { code: "SQLITE_CANTOPEN" });
const open = [];
try { for (;;) open.push(openSync("/dev/null")); } catch {}
const lacking = findCause(error);
open.forEach((one) => closeSync(one));
process.stdout.write(JSON.stringify([lacking.words, findCause(error).words]), () => process.exit());
`;

test.skipIf(process.platform === "win32")(
  "a database that can't be opened for want of descriptors is not reported as forbidden",
  () => {
    const { stdout } = spawnSync(
      "sh",
      ["-c", 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: "utf8", timeout: 110_000 },
    );
    expect(JSON.parse(stdout)).toEqual([
      "this process may not open another file",
      "this user may not use it",
    ]);
  },
);

test("a database on a read-only file system is reported as such, and not as another user's", () => {
  const refusal = Object.assign(new Error("read-only file system"), { code: "EROFS" });
  const error = new Error("a.db can't be opened for writing", { cause: refusal });
  expect(databaseFault(error)).toMatchObject({
    failure: "not_allowed",
    message: "The database is unavailable: its file system is read-only.",
  });
});

test("a pooler in statement mode is named, with what to set", () => {
  const refusal = Object.assign(new Error("transaction blocks not allowed in statement pooling mode"), {
    code: "08P01",
  });
  expect(databaseFault(new Error("unavailable", { cause: refusal }))).toMatchObject({
    failure: "unavailable",
    message: expect.stringContaining("a pooler in front of it is in statement mode"),
    hint: expect.stringContaining("pool_mode to transaction or session"),
  });
});

test("what a server misses of a connection is told in its own words: one code stands for a host, TLS or a certificate", () => {
  const refusal = Object.assign(new Error("connection requires a valid client certificate"), {
    code: "28000",
  });
  expect(databaseFault(new Error("unavailable", { cause: refusal }))).toMatchObject({
    message: expect.stringMatching(/only with TLS: connection requires a valid client certificate\.$/),
    hint: expect.stringContaining("&sslcert=FILE&sslkey=FILE"),
  });
});

test.each(["error:1C800064:Provider routines::bad decrypt", "error:0480006C:PEM routines::no start line"])(
  "a client's key that can't be read is told as that: %s",
  (message) => {
    expect(databaseFault(new Error(`the storage is unavailable: ${message}`))).toMatchObject({
      message: "The database is unavailable: the client's certificate or key can't be read.",
      hint: expect.stringContaining("the key has no pass phrase"),
    });
  },
);

test("a missing module of PostgreSQL's driver is not told to be SQLite's", () => {
  const missing = Object.assign(new Error("Cannot find module 'pg-types'"), { code: "MODULE_NOT_FOUND" });
  const fault = databaseFault(missing);
  expect([fault.message, fault.hint].join()).not.toMatch(/SQLite/);
  expect(fault.message).toContain("Cannot find module 'pg-types'");
});

test.each([
  ["MODULE_NOT_FOUND", "Cannot find module '/a/better_sqlite3.node'\nRequire stack:\n- /a/lib/binding.js"],
  ["ERR_DLOPEN_FAILED", "libc.so.6: version `GLIBC_2.38' not found (required by /a/better_sqlite3.node)"],
])("SQLite's driver without a build for this system is named, and not the database (%s)", (code, message) => {
  const fault = databaseFault(Object.assign(new Error(message), { code }));
  expect(fault).toMatchObject({
    failure: "failed",
    message: `The database is unavailable: SQLite's driver, better-sqlite3, can't be loaded: ${message.split("\n")[0]}.`,
    hint: expect.stringContaining("npm explore better-sqlite3 -- npm run build-release"),
  });
});

test("a server that the storage refuses is not said to be away, and nobody is told to try again", () => {
  const refusal = "Posthorn needs a database with the encoding UTF8: this one has LATIN1";
  expect(databaseFault(new StorageUnsuited(refusal), 'The database "mail"')).toMatchObject({
    failure: "conflict",
    message: `The database "mail" can't be used: ${refusal}.`,
    hint: undefined,
  });
});
