import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const connectionString = "postgres://ada:secret@127.0.0.1:1/mail";
const url = "a URL of one host, such as postgres://user:password@host:5432/database";

test.each([
  [undefined, "createPostgresStorage takes an object with the options connectionString, pool, "],
  [{}, "createPostgresStorage needs a connectionString or a pool"],
  [
    { connectionString, pool: new pg.Pool({ connectionString }) },
    "createPostgresStorage takes a connectionString or a pool, not both",
  ],
  [{ connectionString: "" }, `connectionString must be ${url}, not an empty text`],
  [{ connectionString: 5 }, `connectionString must be ${url}, not 5`],
  [{ connectionString: new URL(connectionString) }, `connectionString must be ${url}, not such an object`],
  [
    { connectionString: "postgres://127.0.0.1:x/mail" },
    `a connection string can't be read: it must be ${url}`,
  ],
  [{ connectionString: "sqlite:./mail.db" }, `connectionString must be ${url}, not such a text`],
  ...[
    "postgres://ada@db1.example,db2.example/mail",
    "postgres://ada:a@b@db1.example:5432,db2.example:5432/mail",
    "postgres:///mail?user=ada&host=db1.example%2Cdb2.example",
    "host=127.0.0.1 dbname=mail",
  ].map((several): [object, string] => [
    { connectionString: several },
    `connectionString must be ${url}, not such a text`,
  ]),
  [
    { connectionString: `${connectionString}?require_auth=scram-sha-256` },
    "connectionString has require_auth, which pg ignores: leave it out",
  ],
  [
    { connectionString, listenConnectionString: "postgres:///mail?hostaddr=10.0.0.7" },
    "listenConnectionString has hostaddr, which pg ignores: leave it out",
  ],
  [{ pool: new pg.Client() }, "pool must be a pool of pg, not such an object"],
  [
    { pool: new pg.Pool({ binary: true } as pg.PoolConfig) },
    "pool is in pg's binary format, in which pg misreads",
  ],
  [{ pool: {} }, "pool must be a pool of pg, not such an object"],
  [{ connectionString, max: 0 }, "max must be a whole number, 1 or more, not 0"],
  [{ connectionString, max: "3" }, "max must be a whole number, 1 or more, not such a text"],
  [{ connectionString, transactionPooler: 1 }, "transactionPooler must be true or false, not 1"],
  [{ connectionString, logger: { info() {} } }, "logger must be an object with the methods debug, info, "],
  [{ connectionString, schema: 5n }, "schema must be a text, not a bigint"],
  [{ connectionString, schema: "a-b" }, 'schema must be a plain name such as "posthorn", not "a-b"'],
  [{ connectionString, timeouts: 5 }, "timeouts takes an object with the options connect, turn, "],
  [
    { connectionString, timeouts: { turn: "1s" } },
    "timeouts.turn must be a number of milliseconds, 0 or more, not such a text",
  ],
  ...["statement", "lock", "idleInTransaction", "query"].map((name): [object, string] => [
    { connectionString, timeouts: { [name]: Number.POSITIVE_INFINITY } },
    `timeouts.${name} must be a number of milliseconds, 0 to 2147483647, not Infinity`,
  ]),
  ...["connect", "listenCheck"].flatMap((name) =>
    [0, Number.POSITIVE_INFINITY].map((value): [object, string] => [
      { connectionString, timeouts: { [name]: value } },
      `timeouts.${name} must be a number of milliseconds, 1 to 2147483647, not ${value}`,
    ]),
  ),
])("refuses %o by name", async (options, message) => {
  await expect(createPostgresStorage(options as never)).rejects.toThrow(TypeError);
  await expect(createPostgresStorage(options as never)).rejects.toThrow(message);
});

test("says in the message why the server can't be reached, without its password", async () => {
  const opening = createPostgresStorage({ connectionString });
  await expect(opening).rejects.toThrow("the storage is unavailable: connect ECONNREFUSED 127.0.0.1:1");
});

test("a comma of the password or of the database's name does not make several hosts", async () => {
  for (const text of ["postgres://ada:a,b@127.0.0.1:1/mail", "postgres://127.0.0.1:1/a,b?user=c,d"])
    await expect(createPostgresStorage({ connectionString: text })).rejects.toThrow(
      "ECONNREFUSED 127.0.0.1:1",
    );
});

test("an older Node is refused in words: its first connection failed for want of a function", async () => {
  const { versions } = process;
  onTestFinished(() => void Object.defineProperty(process, "versions", { value: versions }));
  Object.defineProperty(process, "versions", { value: { ...versions, node: "22.18.0" } });
  await expect(createPostgresStorage({ connectionString: "postgres://localhost:1" })).rejects.toThrow(
    `Posthorn's PostgreSQL storage needs Node 22.19 or newer, and this is 22.18.0`,
  );
});
