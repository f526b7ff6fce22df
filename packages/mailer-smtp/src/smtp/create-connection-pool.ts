import { createIdleConnections, type PooledConnection } from "./create-idle-connections.ts";
import { ask, openConnection, quit, type SmtpConnection } from "./open-connection.ts";
import type { ServerSettings, SmtpTimeouts } from "./server-settings.ts";
import { SmtpFault } from "./smtp-fault.ts";
import { type Delivery, endingOf, type Transaction, transact } from "./transact.ts";

/** Connections to one server. */
export interface ConnectionPool {
  /** Delivers over an idle connection or a new one, and waits where all are busy. Never rejects for a server's fault. */
  deliver(delivery: Delivery): Promise<Pick<Transaction, "recipients" | "inDoubt">>;
  isBusy(): boolean;
  /** Closes idle connections now, and the others after their message. */
  close(): void;
}

/** How a pool behaves. */
export interface PoolOptions {
  server: ServerSettings;
  timeouts: SmtpTimeouts;
  /** Most connections at once. */
  connections: number;
  /** Messages after which a connection is renewed. */
  messagesPerConnection: number;
  /** Ms that a connection is kept without work. */
  idleTime: number;
}

/** Makes a pool without opening anything yet. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const { server, timeouts } = options;
  const idle = createIdleConnections(options.idleTime);
  const waiting: (() => void)[] = [];
  let busy = 0;
  let isClosed = false;

  const attempt = async (delivery: Delivery, reused: PooledConnection | undefined): Promise<Transaction> => {
    const pooled = reused ?? { connection: await openConnection(server, timeouts), messages: 0 };
    pooled.messages += 1;
    const transaction = await transact(pooled.connection, delivery, timeouts);
    if (transaction.isReusable && (await isReady(pooled.connection, transaction, timeouts))) {
      if (isClosed || pooled.messages >= options.messagesPerConnection) quit(pooled.connection);
      else idle.keep(pooled);
    } else if (transaction.isReusable) pooled.connection.channel.destroy();
    else quit(pooled.connection);
    return transaction;
  };

  const deliver = async (delivery: Delivery) => {
    const reused = idle.take();
    try {
      const first = await attempt(delivery, reused);
      // A connection that died while it was idle says nothing about the message or the server.
      if (reused === undefined || !first.isWorthRetry) return first;
      return await attempt(delivery, undefined);
    } catch (error) {
      if (!(error instanceof SmtpFault)) throw error;
      const ending = endingOf(error);
      return { recipients: delivery.to.map((address) => ({ address, ...ending })), inDoubt: false };
    }
  };

  return {
    async deliver(delivery) {
      // Whoever ends hands its place straight on, so that a newcomer can't take it in between.
      if (busy < options.connections) busy += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await deliver(delivery);
      } finally {
        const next = waiting.shift();
        if (next === undefined) busy -= 1;
        else next();
      }
    },
    isBusy: () => busy > 0,
    close() {
      isClosed = true;
      for (let pooled = idle.take(); pooled !== undefined; pooled = idle.take()) quit(pooled.connection);
    },
  };
}

/** Whether the server is ready for the next message; a transaction that came to no end is ended first. */
async function isReady(connection: SmtpConnection, transaction: Transaction, timeouts: SmtpTimeouts) {
  if (transaction.recipients.some(({ outcome }) => outcome === "accepted")) return true;
  try {
    const reply = await ask(connection.channel, "RSET", Math.min(timeouts.command, 5000));
    return reply.code === 250 && connection.channel.isQuiet();
  } catch {
    return false;
  }
}
