import type { HandoverStep, MailHold, MailResult, RecipientResult } from "@posthorn/core";
import { createSecretRemover } from "../connection/create-secret-remover.ts";
import { ask, isTlsOptional, type SmtpConnection } from "../connection/open-connection.ts";
import type { Delivery, Ending } from "../conversation/delivery.ts";
import { createBehaviour, isSpent } from "../conversation/note-behaviour.ts";
import { createStepLog } from "../conversation/step-log.ts";
import type { ServerSettings, SmtpTimeouts } from "../settings/server-settings.ts";
import { closedHold } from "./closed-hold.ts";
import { deliverMessage } from "./journey/deliver-message.ts";
import type { Progress } from "./journey/journey.ts";
import type { HostPlaces } from "./line/create-host-places.ts";
import type { PooledConnection } from "./line/create-idle-connections.ts";
import { createLine } from "./line/create-line.ts";
import type { Line } from "./line/line.ts";
import type { PoolClock } from "./pool-clock.ts";
import { createEvidence } from "./server/create-evidence.ts";
import { createOpener } from "./server/create-opener.ts";
import { createPace } from "./server/create-pace.ts";
import { createServerState } from "./server/create-server-state.ts";
import type { ServerAccess } from "./server/server-access.ts";

/** Connections to one server, and the knowledge gained about it. */
export interface ConnectionPool {
  /**
   * Delivers over an idle connection or a new one, and waits if all are busy. Faults of the server, the connection or
   * this process are retried at once if that may help, else returned as a hold. Never rejects for a server's fault.
   */
  deliver(delivery: Omit<Delivery, "log">): Promise<MailResult>;
  /** Whether messages are under way or wait. */
  isBusy(): boolean;
  /** Changes the maximum number of connections. */
  setConnections(connections: number): void;
  /** Closes idle connections now and the others after their message. Later messages are still delivered. */
  retire(): void;
  /** Retires the pool, and returns a hold for each message that waits for a connection. */
  close(): void;
}

/** Settings of a pool. */
export interface PoolOptions {
  server: ServerSettings;
  timeouts: SmtpTimeouts;
  /** Maximum number of concurrent connections. */
  connections: number;
  /** Messages after which a connection is replaced. */
  messagesPerConnection: number;
  /** Ms that an idle connection is kept. */
  idleTime: number;
  /** Maximum messages per second. */
  maxPerSecond?: number | undefined;
  /** Whether tenants share the server. They must not see replies meant for its operator. */
  isShared: boolean;
  clock: PoolClock;
  /** Counts the connections of several pools to one host together. */
  hosts?: HostPlaces;
}

/**
 * Ms that a server may take for the second reply to pipelined commands, until it has proved that it supports
 * pipelining.
 */
const pipelinePatience = 20_000;
/** Ms that the server may take for the first reply to an envelope that it got behind a content. */
const aheadPatience = 5000;
/** Ms that the server may take for RSET. */
const resetPatience = 5000;

/** Creates a pool without opening a connection. */
export function createConnectionPool(options: PoolOptions): ConnectionPool {
  const { server, timeouts, clock } = options;
  const state = createServerState(options.connections, options.isShared);
  const pace = createPace(options.maxPerSecond);
  const { hosts } = options;
  const neighbour = { look: () => line.look(), spare: () => line.spare() };
  const place = hosts?.join(server.host, neighbour);
  const line: Line = createLine({
    state,
    pace,
    clock,
    idleTime: options.idleTime,
    ...(place === undefined ? {} : { place }),
  });
  const open = createOpener(server, timeouts, clock);
  const cleaned = { isShared: options.isShared, server, clean: createSecretRemover(server) };

  const settle = (delivery: Delivery, pooled: PooledConnection, isClean: boolean): void => {
    const isOver = isSpent(access.behaviour, pooled);
    if (isOver || isClean) line.over(delivery, pooled, isOver ? "close" : "keep");
    else
      void isReset(pooled.connection, timeouts).then((isKept) =>
        line.over(delivery, pooled, isKept ? "keep" : "close"),
      );
  };
  const access: ServerAccess = {
    state,
    evidence: createEvidence(),
    pace,
    line,
    open,
    settle,
    clock,
    timeouts,
    dsn: server.dsn ?? ["failure", "delay"],
    isAccount: !options.isShared,
    isTlsOptional: isTlsOptional(server),
    pipelinePatience: Math.min(timeouts.command, pipelinePatience),
    aheadPatience: Math.min(timeouts.command, aheadPatience),
    messagesPerConnection: options.messagesPerConnection,
    behaviour: createBehaviour(options.messagesPerConnection),
  };

  const retire = (): void => {
    line.retire();
    hosts?.leave(server.host, neighbour);
  };

  return {
    async deliver(delivery) {
      // The null sender asks for no bounces, whatever envelope sender is set.
      const from = delivery.from === "" ? "" : (server.envelopeSender ?? delivery.from);
      const logged = { ...delivery, from, log: createStepLog() };
      return resultOf(logged, await deliverMessage(access, logged), cleaned);
    },
    isBusy: line.isBusy,
    setConnections: state.setMost,
    retire,
    close() {
      retire();
      line.dismiss(closedHold);
    },
  };
}

/** The text of a hold that tenants may read, who did not set up the server. */
const publicWords: Record<MailHold["cause"], string> = {
  unreachable: "the mail server can't be reached at present",
  settings: "the mail server does not let the service send at present",
  limited: "the mail server accepts no more mail at present",
  exhausted: "the service can't open more connections at present",
  closed: "the service is stopping",
};

type Clean = (text: string) => string;

const asTheyAre: Clean = (text) => text;

function resultOf(
  delivery: Delivery,
  progress: Progress,
  { isShared, server, clean }: Pick<PoolOptions, "isShared" | "server"> & { clean: Clean },
): MailResult {
  const { endings, inDoubt } = progress;
  const hold = progress.hold && { ...progress.hold, reason: clean(progress.hold.reason) };
  const isUntouched = endings.every((ending) => ending === undefined);
  const rest = {
    outcome: "deferred",
    reply: hold === undefined ? "" : isShared ? publicWords[hold.cause] : hold.reason,
  } as const;
  return {
    // The rest's words are clean. Ours would tell the secret by what is left out of them.
    recipients: delivery.to.map((address, index) => {
      const ending = endings[index];
      return ending === undefined
        ? recipientResult(address, rest, asTheyAre)
        : recipientResult(address, ending, clean);
    }),
    inDoubt,
    steps:
      server.password === undefined
        ? delivery.log.steps
        : delivery.log.steps.map((step) => withCleanWords(step, clean)),
    ...(hold !== undefined && isUntouched ? { held: hold } : {}),
  };
}

/** Field by field: the properties of a spread object are added one by one, which costs several times as much. */
function recipientResult(
  address: string,
  { outcome, code, reply, atRecipient }: Ending,
  clean: Clean,
): RecipientResult {
  const result: RecipientResult = { address, outcome, reply: clean(reply) };
  if (code !== undefined) result.code = code;
  if (atRecipient !== undefined) result.atRecipient = atRecipient;
  return result;
}

const withCleanWords = (step: HandoverStep, clean: Clean): HandoverStep => {
  if (step.reply !== undefined) step.reply = clean(step.reply);
  if (step.error !== undefined) step.error = clean(step.error);
  return step;
};

/** Whether the server reset the transaction and is ready for the next one. */
async function isReset({ channel }: SmtpConnection, timeouts: SmtpTimeouts): Promise<boolean> {
  try {
    const reply = await ask(channel, "RSET", Math.min(timeouts.command, resetPatience));
    return reply.code === 250 && channel.isQuiet();
  } catch {
    return false;
  }
}
