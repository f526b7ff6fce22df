import type { Watchdog } from "../../connection/create-watchdog.ts";
import type { SmtpConnection } from "../../connection/open-connection.ts";

/** A connection and how many messages it has carried. */
export interface PooledConnection {
  connection: SmtpConnection;
  messages: number;
  /** How many messages in a row it left for reasons that may be its own. */
  refusals: number;
  /** Whether the next message's envelope was sent behind a content: the replies to it are still to come, or unread. */
  isAhead: boolean;
  /** Watches how long a message whose envelope was sent ahead waits. */
  watchdog: Watchdog;
}

/** Idle connections, most recently used first, so that surplus ones reach their time-out. */
export interface IdleConnections {
  /** Takes out a connection that still seems alive. */
  take(): PooledConnection | undefined;
  /** Keeps a connection until it is taken, its idle time is over, or the server writes to it or closes it. */
  keep(pooled: PooledConnection): void;
}

/**
 * Creates an empty stack of connections. Each is kept for `idleTime` ms and then passed to `end`. None keeps the
 * process alive.
 */
export function createIdleConnections(
  idleTime: number,
  end: (pooled: PooledConnection) => void,
): IdleConnections {
  const timers = new Map<PooledConnection, NodeJS.Timeout>();

  const remove = (pooled: PooledConnection) => {
    clearTimeout(timers.get(pooled));
    timers.delete(pooled);
    pooled.connection.channel.onDisturbance(undefined);
  };
  return {
    take() {
      for (const pooled of [...timers.keys()].reverse()) {
        const { channel } = pooled.connection;
        remove(pooled);
        if (channel.isQuiet()) {
          channel.socket.ref();
          return pooled;
        }
        end(pooled);
      }
      return undefined;
    },
    keep(pooled) {
      const { channel } = pooled.connection;
      channel.onDisturbance(() => {
        remove(pooled);
        channel.destroy();
        end(pooled);
      });
      const expire = () => {
        remove(pooled);
        end(pooled);
      };
      timers.set(pooled, setTimeout(expire, idleTime).unref());
      channel.socket.unref();
    },
  };
}
