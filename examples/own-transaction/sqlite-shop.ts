import { setImmediate } from "node:timers/promises";
import type { Posthorn } from "@posthorn/core";
import type { SqliteTransaction } from "@posthorn/storage-sqlite";
import type { Database } from "better-sqlite3";

/**
 * Stores an order and its confirmation in one transaction on the host's own SQLite handle: both are stored, or neither.
 * The commit wakes the worker. The storage was opened on the same handle: `createSqliteStorage({ database })`.
 */
export function placeOrder(
  order: { address: string; article: string; stock: number },
  {
    database,
    posthorn,
    workspaceId,
  }: { database: Database; posthorn: Posthorn<SqliteTransaction>; workspaceId: number },
): Promise<{ orderId: number; emailId: string }> {
  return inTransaction(database, async () => {
    const { lastInsertRowid } = database
      .prepare("insert into orders (address, article) values (?, ?)")
      .run(order.address, order.article);
    const orderId = Number(lastInsertRowid);
    const email = await posthorn.emails.sendTemplate(
      { template: "confirmation", to: [order.address], templateData: { orderId, article: order.article } },
      { workspaceId, transaction: database },
    );
    if (order.stock === 0) throw new Error(`${order.article} is sold out`);
    return { orderId, emailId: email.id };
  });
}

/** Runs work in a transaction that starts when no other is open on the handle. */
async function inTransaction<T>(database: Database, work: () => Promise<T>): Promise<T> {
  while (database.inTransaction) await setImmediate();
  database.exec("begin immediate");
  try {
    const result = await work();
    database.exec("commit");
    return result;
  } catch (error) {
    if (database.inTransaction) database.exec("rollback");
    throw error;
  }
}
