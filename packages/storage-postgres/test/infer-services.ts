import { createPosthorn } from "@posthorn/core";
import { createMemoryMailer } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { createPostgresStorage } from "../src/index.ts";

const rest = { mailer: createMemoryMailer(), secretKey: "a secret key that only tests ever use, 0123456789" };

/** Services whose types a host leaves to the compiler: this file compiles only if its declarations can name them. */
export const inferServices = async () => {
  const onSqlite = createPosthorn({ ...rest, storage: await createSqliteStorage({ filename: ":memory:" }) });
  const onPostgres = createPosthorn({ ...rest, storage: await createPostgresStorage({}) });
  return { onSqlite, onPostgres, sender: onSqlite.emails, tenant: onPostgres.workspace(1) };
};
