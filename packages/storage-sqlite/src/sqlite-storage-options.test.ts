import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { createSqliteStorage } from "./create-sqlite-storage.ts";

const filename = ":memory:";

test.each([
  [undefined, "createSqliteStorage takes an object with the options filename, database, "],
  ["a.db", "createSqliteStorage takes an object with the options filename, database, "],
  [{}, "createSqliteStorage needs a filename or a database"],
  [{ filename: "" }, 'filename must be a path or ":memory:", not an empty text'],
  [{ filename: new URL("file:///a.db") }, 'filename must be a path or ":memory:", not such an object'],
  [
    { filename: "sqlite:./a.db" },
    'filename must be a path or ":memory:", not a URL that begins with sqlite:',
  ],
  [{ database: null }, "database must be a better-sqlite3 handle, not null"],
  [{ filename: "a.db", database: null }, "database must be a better-sqlite3 handle, not null"],
  [
    { filename, writeTurns: new ArrayBuffer(4) },
    "writeTurns must be a SharedArrayBuffer, not such an object",
  ],
  [{ filename, tablePrefix: 5n }, "tablePrefix must be a text, not a bigint"],
  [{ filename, tablePrefix: { toString: () => "a_" } }, "tablePrefix must be a text, not such an object"],
  [{ filename, tablePrefix: "a-b" }, 'tablePrefix must be letters, digits and "_"'],
  [{ filename, readThreadFrom: -1 }, "readThreadFrom must be a number of bytes, 0 or more, not -1"],
  [{ filename, clock: {} }, "clock must be an object with the method now, not such an object"],
  [{ filename, onFatal: true }, "onFatal must be a function, not true"],
])("refuses %o by name", async (options, message) => {
  await expect(createSqliteStorage(options as never)).rejects.toThrow(TypeError);
  await expect(createSqliteStorage(options as never)).rejects.toThrow(message);
});

test("refuses a path beside a handle, as one of them would not be used", async () => {
  const database = new Sqlite(filename);
  await expect(createSqliteStorage({ filename: "a.db", database })).rejects.toThrow(
    "createSqliteStorage takes a filename or a database, not both",
  );
  database.close();
});
