import { createPosthorn, type Posthorn, type PosthornOptions } from "@posthorn/core";
import { createMemoryMailer } from "@posthorn/core/testing";
import type { SqliteTransaction } from "@posthorn/storage-sqlite";
import type { Kysely, Transaction } from "kysely";
import type { Client, Pool, PoolClient } from "pg";
import { expect, test } from "vitest";
import { inferServices } from "../../test/infer-services.ts";
import { hostTransaction, type PostgresTransaction } from "../index.ts";

interface Tables {
  orders: { id: number };
}

/** Nothing of it is run: the test is whether it compiles. */
function callWithEach(
  posthorn: Posthorn<PostgresTransaction, "workspace">,
  host: {
    client: Client;
    pooled: PoolClient;
    pool: Pool;
    kysely: Kysely<Tables>;
    transaction: Transaction<Tables>;
    sqlite: SqliteTransaction;
  },
) {
  const ask = hostTransaction(async () => []);
  return [
    () => posthorn.emails.list({}, { transaction: host.client }),
    () => posthorn.emails.list({}, { transaction: host.pooled }),
    () => posthorn.emails.list({}, { transaction: host.transaction }),
    () =>
      posthorn
        .within(ask)
        .as(undefined as never)
        .emails.list(),
    // @ts-expect-error: a pool has no transaction
    () => posthorn.emails.list({}, { transaction: host.pool }),
    // @ts-expect-error: Kysely's database is none either
    () => posthorn.within(host.kysely),
    // @ts-expect-error: another storage's handle
    () => posthorn.within(host.sqlite),
    // @ts-expect-error: what runs statements is handed to hostTransaction first
    () => posthorn.within({ query: async () => [] }),
  ];
}

test("a service accepts its storage's transaction type, and a service on any storage accepts any", () => {
  expect(callWithEach).toBeTypeOf("function");
  const options: PosthornOptions<SqliteTransaction> = {
    storage: { transaction() {}, within() {} } as never,
    mailer: createMemoryMailer(),
    secretKey: "a secret key that only tests ever use, 0123456789",
  };
  const posthorn = createPosthorn(options);
  // A function that takes a service with any storage accepts this one, and passes it no transaction.
  const any: Posthorn = posthorn;
  const onlyOne: (of: Posthorn<SqliteTransaction, "workspace">) => Posthorn = (of) => of;
  // @ts-expect-error: whose transaction it would be is not known
  const within = () => any.within(undefined as unknown as SqliteTransaction);
  // @ts-expect-error: the types part at the storage
  const other: Posthorn<PostgresTransaction> = posthorn;
  expect([onlyOne, within]).toHaveLength(2);
  expect([any, other]).toEqual([posthorn, posthorn]);
});

test("a host may export a service without writing its type down", () => {
  type Inferred = Awaited<ReturnType<typeof inferServices>>;
  const named: (of: Inferred) => [Posthorn<SqliteTransaction>, Posthorn<PostgresTransaction>] = (of) => [
    of.onSqlite,
    of.onPostgres,
  ];
  expect([inferServices, named]).toHaveLength(2);
});
