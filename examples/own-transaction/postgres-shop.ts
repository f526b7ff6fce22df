import type { Posthorn } from "@posthorn/core";
import type { PostgresTransaction } from "@posthorn/storage-postgres";
import type { Pool } from "pg";

/**
 * Stores an order and its confirmation in one transaction on the host's own pool: both are stored, or neither. The
 * commit wakes the worker.
 */
export async function placeOrder(
  order: { address: string; article: string; stock: number },
  {
    pool,
    posthorn,
    workspaceId,
  }: { pool: Pool; posthorn: Posthorn<PostgresTransaction>; workspaceId: number },
): Promise<{ orderId: number; emailId: string }> {
  const client = await pool.connect();
  // Without a listener, the process ends if the connection is lost between two statements.
  client.on("error", ignore);
  try {
    await client.query("begin");
    const { rows } = await client.query<{ id: number }>(
      "insert into orders (address, article) values ($1, $2) returning id",
      [order.address, order.article],
    );
    const orderId = rows[0]?.id ?? 0;
    const email = await posthorn.emails.sendTemplate(
      { template: "confirmation", to: [order.address], templateData: { orderId, article: order.article } },
      { workspaceId, transaction: client },
    );
    if (order.stock === 0) throw new Error(`${order.article} is sold out`);
    await client.query("commit");
    return { orderId, emailId: email.id };
  } catch (error) {
    // Of a lost connection the server rolls back by itself; what the host answers with is the first error.
    await client.query("rollback").catch(ignore);
    throw error;
  } finally {
    client.release();
    client.off("error", ignore);
  }
}

const ignore = (): void => {};
