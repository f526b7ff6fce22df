import { expect, test } from "vitest";
import { explainRefusal } from "./explain-refusal.ts";

const sqlite = (code: string) => Object.assign(new Error("unable to open database file"), { code });

const readOnly = (path: string): never => {
  throw Object.assign(new Error(`EROFS: read-only file system, access '${path}'`), { code: "EROFS" });
};

test.each(["SQLITE_CANTOPEN", "SQLITE_READONLY_DIRECTORY", "SQLITE_IOERR_LOCK"])(
  "a file on a read-only file system is refused as such, whatever SQLite says: %s",
  (code) => {
    expect(explainRefusal(sqlite(code), "/data/a.db", readOnly)).toMatchObject({
      message: expect.stringContaining(
        "/data/a.db can't be opened for writing: unable to open database file.",
      ),
      cause: { code: "EROFS" },
    });
  },
);

test("a file left beside it that can't be written is named", () => {
  const refuseOne = (path: string): void => {
    if (path.endsWith("-shm")) readOnly(path);
  };
  expect(explainRefusal(sqlite("SQLITE_READONLY"), "/data/a.db", refuseOne)).toMatchObject({
    message: expect.stringContaining("access '/data/a.db-shm'"),
  });
});

test("a fault of the disk, and any other error, stays what it is where the system lets the file be written", () => {
  for (const code of ["SQLITE_IOERR_FSYNC", "SQLITE_BUSY"]) {
    const error = sqlite(code);
    expect(explainRefusal(error, "/data/a.db", () => {})).toBe(error);
  }
});
