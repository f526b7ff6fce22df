import type { DkimKey, Mailer, MailMessage, MailResult, SmtpServerAddress } from "@posthorn/core";
import { assertAddress } from "./compose/assert-header-safe.ts";
import { composeMessage } from "./compose/compose-message.ts";
import { createDkimSigner } from "./compose/sign-dkim.ts";
import { type ConnectionPool, createConnectionPool } from "./smtp/create-connection-pool.ts";
import { oneLine } from "./smtp/one-line.ts";
import { openConnection, quit } from "./smtp/open-connection.ts";
import { parseSmtpUrl } from "./smtp/parse-smtp-url.ts";
import type { ServerSettings, SmtpTimeouts } from "./smtp/server-settings.ts";
import { SmtpFault } from "./smtp/smtp-fault.ts";
import { endingOf } from "./smtp/transact.ts";

/** Options of the SMTP mailer. Times are in ms. */
export interface SmtpMailerOptions {
  /** The mailer's own server: see `parseSmtpUrl` for its parts and parameters. */
  url: string;
  /** Most connections to the mailer's own server, unless the URL says. Default 10. */
  connections?: number;
  /** Most connections to each workspace's server. Default 3. */
  serverConnections?: number;
  /** Most workspace servers with connections; the least recently used one's are closed. Default 50. */
  servers?: number;
  /** Messages after which a connection is renewed. Default 1000. */
  messagesPerConnection?: number;
  /**
   * Keys of your own domain: mail from it and what is beneath it is signed with each of them, such as one of RSA and one of Ed25519
   * (RFC 6376, RFC 8463).
   */
  dkim?: readonly DkimKey[];
  /** How long a connection is kept without work. Default 5 s. */
  idleTime?: number;
  /** Defaults: connect 30 s, greeting 60 s, command 120 s, dot 600 s. */
  timeouts?: Partial<SmtpTimeouts>;
  /** Whether workspaces' servers may have private addresses and other ports than 25, 465, 587, 2525. Default false. */
  allowPrivateServers?: boolean;
  /** Whether workspaces' servers need no valid certificate. Default false. */
  allowInsecureServers?: boolean;
}

const defaultTimeouts: SmtpTimeouts = { connect: 30_000, greeting: 60_000, command: 120_000, dot: 600_000 };

/**
 * Makes a mailer that hands mail to SMTP servers over kept connections (RFC 5321), signed where a key is given (RFC
 * 6376). Throws a TypeError for a bad URL or DKIM key. Nothing is connected to before the first message.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const own = parseSmtpUrl(options.url);
  const concurrency = own.connections ?? options.connections ?? 10;
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const sign = createDkimSigner(options.dkim);
  const underWay = new Set<Promise<unknown>>();
  const pools = createPools(own.server, concurrency, timeouts, options);
  let isClosed = false;

  const deliver = async (message: MailMessage): Promise<MailResult> => {
    assertEnvelope(message.envelope);
    if (isClosed) return deferAll(message, "the mailer is closed");
    if (message.envelope.to.length === 0) return { recipients: [], inDoubt: false };
    const composed = composeMessage(message);
    let source: Buffer;
    try {
      source = await sign(composed, message);
    } catch (error) {
      // Unsigned it would harm the domain's name; the key can be mended while the mail waits.
      return deferAll(message, `the mail can't be signed: ${words(error)}`);
    }
    const { recipients, inDoubt } = await pools
      .poolOf(message.server)
      .deliver({ ...message.envelope, source });
    return { recipients, inDoubt };
  };

  return {
    concurrency,
    async send(message) {
      const work = deliver(message);
      underWay.add(work);
      try {
        return await work;
      } finally {
        underWay.delete(work);
      }
    },
    async verify(server) {
      try {
        quit(await openConnection(pools.settingsOf(server), timeouts));
        return undefined;
      } catch (error) {
        if (!(error instanceof SmtpFault)) throw error;
        return error.reply === undefined ? error.message : oneLine(`${error.message}: ${error.reply.text}`);
      }
    },
    async close() {
      isClosed = true;
      while (underWay.size > 0) await Promise.allSettled(underWay);
      pools.close();
    },
  };
}

/** The pool of the mailer's own server and those of the workspaces' servers, by key. */
function createPools(
  own: ServerSettings,
  concurrency: number,
  timeouts: SmtpTimeouts,
  options: SmtpMailerOptions,
) {
  const serverPools = new Map<string, ConnectionPool>();
  const open = (server: ServerSettings, connections: number) =>
    createConnectionPool({
      server,
      timeouts,
      connections,
      messagesPerConnection: options.messagesPerConnection ?? 1000,
      idleTime: options.idleTime ?? 5000,
    });
  const ownPool = open(own, concurrency);

  const settingsOf = (server: SmtpServerAddress | undefined): ServerSettings => {
    if (server === undefined) return own;
    return {
      ...server,
      clientName: own.clientName,
      checksCertificate: !(options.allowInsecureServers ?? false),
      publicOnly: !(options.allowPrivateServers ?? false),
    };
  };
  return {
    settingsOf,
    poolOf(server: SmtpServerAddress | undefined): ConnectionPool {
      if (server === undefined) return ownPool;
      const pool = serverPools.get(server.key) ?? open(settingsOf(server), options.serverConnections ?? 3);
      serverPools.delete(server.key);
      serverPools.set(server.key, pool);
      if (serverPools.size > (options.servers ?? 50)) closeLeastUsed(serverPools);
      return pool;
    },
    close() {
      for (const pool of [ownPool, ...serverPools.values()]) pool.close();
      serverPools.clear();
    },
  };
}

function assertEnvelope(envelope: MailMessage["envelope"]): void {
  // An empty sender is the null reverse-path (RFC 5321 section 4.5.5).
  if (envelope.from !== "") assertAddress(envelope.from, "envelope.from");
  for (const address of envelope.to) assertAddress(address, "envelope.to");
}

function closeLeastUsed(pools: Map<string, ConnectionPool>): void {
  const oldest = [...pools.keys()].slice(0, -1);
  const key = oldest.find((candidate) => !pools.get(candidate)?.isBusy()) ?? oldest[0];
  if (key === undefined) return;
  pools.get(key)?.close();
  pools.delete(key);
}

function deferAll(message: MailMessage, reply: string): MailResult {
  const { outcome, reply: line } = endingOf(new SmtpFault(oneLine(reply)));
  return {
    recipients: message.envelope.to.map((address) => ({ address, outcome, reply: line })),
    inDoubt: false,
  };
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
