import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Logger, StorageUnavailable } from "@posthorn/core/storage";
import type { ClientBase } from "pg";
import { assertOwnProcess, Unheard, type WithClient } from "../connections/assert-own-process.ts";
import { type Running, runQuery, runText } from "../statements/run-query.ts";

/** A connection used only for LISTEN, and how to close it. */
export interface ListeningClient {
  client: ClientBase;
  end(): void;
}

export interface ListenOptions {
  /** `undefined` if no connection can be spared. */
  connect: (() => Promise<ListeningClient>) | undefined;
  channel: string;
  /** Sends a payload to the channel over another connection. */
  send(payload: string): Promise<void>;
  withClient: WithClient;
  /** Called with each payload. */
  onPayload(payload: string): void;
  /** Notifications may have been lost. */
  onMissed(): void;
  logger: Logger;
  /** Ms between two checks that the connection still receives. */
  checkMs: number;
  /** Ms that a check may take. */
  timeoutMs: number;
}

const firstWaitMs = 100;
const longestWaitMs = 3_000;
/**
 * Ms before LISTEN is tried again where no notification arrives: first and later. A pooler in transaction mode stays
 * one, but a database under load may only have been late.
 */
const unheardWaitsMs = [60_000, 600_000] as const;
/** Ms between polls while the connection is down: each poll treats everything as changed. */
const pollMs = 750;

/** A single statement is its own transaction: the setting applies to its commit. */
const sendText = "select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)";

/** Sends a payload over a client, without waiting for the disk: it is gone with the server anyway. */
export const sendPayload = async (
  client: ClientBase,
  { channel, payload }: { channel: string; payload: string },
  running: Running,
): Promise<void> => {
  await runQuery(client, { sql: sendText, parameters: [channel, payload] }, running);
};

/** Waits until a test notification is sent and heard. Rejects with `Unheard` only if it was sent in time. */
const arrival = async (sending: Promise<void>, hearing: Promise<void>, timeoutMs: number): Promise<void> => {
  const late = Promise.withResolvers<never>();
  let isSent = false;
  const sent = sending.then(() => {
    isSent = true;
  });
  const timer = setTimeout(() => {
    late.reject(
      isSent
        ? new Unheard("a test notification was not received")
        : new StorageUnavailable("a test notification could not be sent in time"),
    );
  }, timeoutMs);
  try {
    await Promise.race([Promise.all([sent, hearing]), late.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * One LISTEN session, until it is lost. A test payload is sent to it over another connection, at first and at
 * intervals: that detects a half-open connection, and any pooler that accepts LISTEN but forgets the listener.
 */
const openSession = async ({
  connect,
  channel,
  send,
  withClient,
  onPayload,
  checkMs,
  timeoutMs,
}: Required<ListenOptions>) => {
  if (!connect) throw new Error("nothing to listen with");
  const { client, end } = await connect();
  const word = `check ${randomUUID()}`;
  const lost = Promise.withResolvers<unknown>();
  let heard: (() => void) | undefined;
  client.on("error", lost.resolve);
  client.on("end", () => lost.resolve(new Error("the connection was closed")));
  client.on("notification", ({ channel: from, payload = "" }) => {
    if (from !== channel) return;
    if (payload === word) heard?.();
    else onPayload(payload);
  });
  const check = async () => {
    const echo = Promise.withResolvers<void>();
    heard = echo.resolve;
    await arrival(send(word), echo.promise, timeoutMs);
  };
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    clearTimeout(timer);
    lost.resolve(undefined);
    end();
  };
  try {
    await assertOwnProcess(client, withClient, timeoutMs);
    // It is idle for as long as it lives, whatever the database's owner allows.
    await runText(client, "set idle_session_timeout to 0", { timeoutMs });
    await runText(client, `listen "${channel}"`, { timeoutMs });
    await check();
  } catch (error) {
    close();
    throw error;
  }
  const checkLater = () => {
    timer = setTimeout(() => {
      check().then(() => {
        if (!closed) checkLater();
      }, lost.resolve);
    }, checkMs).unref();
  };
  checkLater();
  return { lost: lost.promise, close };
};

/** Listens until it is closed: reconnects with growing delays, and polls meanwhile. */
export const listen = (options: ListenOptions): { close(): void } => {
  const { logger, onMissed } = options;
  const ending = new AbortController();
  let session: Awaited<ReturnType<typeof openSession>> | undefined;
  let poll: NodeJS.Timeout | undefined;
  const startPolling = () => {
    poll ??= setInterval(onMissed, pollMs).unref();
  };
  const stopPolling = () => {
    clearInterval(poll);
    poll = undefined;
  };

  const listenOnce = async (): Promise<void> => {
    session = await openSession(options as Required<ListenOptions>);
    if (ending.signal.aborted) return session.close();
    stopPolling();
    onMissed();
    logger.debug({ channel: options.channel }, "listening for news");
    const reason = await session.lost;
    session.close();
    if (!ending.signal.aborted) logger.warn({ err: reason }, "lost the connection that listens for news");
  };

  const run = async () => {
    let waitMs = firstWaitMs;
    let unheard = 0;
    while (!ending.signal.aborted) {
      let longMs: number | undefined;
      try {
        await listenOnce();
        waitMs = firstWaitMs;
        unheard = 0;
      } catch (err) {
        logger.debug({ err }, "can't listen for news: polling");
        if (err instanceof Unheard) {
          longMs = unheardWaitsMs[unheard === 0 ? 0 : 1];
          unheard += 1;
        }
      }
      if (ending.signal.aborted) return;
      startPolling();
      await delay((longMs ?? waitMs) * (0.5 + Math.random()), undefined, {
        signal: ending.signal,
        ref: false,
      }).catch(() => {});
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    }
  };

  startPolling();
  if (options.connect) void run();
  return {
    close() {
      ending.abort();
      stopPolling();
      session?.close();
    },
  };
};
