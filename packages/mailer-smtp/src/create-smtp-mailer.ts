import type { Mailer, MailMessage, MailResult, SmtpServerAddress } from "@posthorn/core";
import { maxTimerMs, oneLine, withDefaults } from "@posthorn/core/internal";
import { createHostResolver } from "@posthorn/core/network";
import { assertNotDeno } from "./assert-not-deno.ts";
import { assertAddress } from "./compose/assert-header-safe.ts";
import { noAttachedMessages, readAttachedMessages } from "./compose/attached-messages.ts";
import { createComposer } from "./compose/compose-message.ts";
import { hasInternational, isInternationalForAll } from "./compose/is-international.ts";
import type { MessageSource } from "./compose/message-source.ts";
import { replacedFields } from "./compose/replaced-fields.ts";
import { createDkimSigner, isWithinDomain } from "./compose/sign-dkim.ts";
import { closedHold } from "./smtp/pool/closed-hold.ts";
import { type ConnectionPool, createConnectionPool } from "./smtp/pool/create-connection-pool.ts";
import { deliverApart } from "./smtp/pool/journey/deliver-apart.ts";
import { createHostPlaces } from "./smtp/pool/line/create-host-places.ts";
import { steadyClock } from "./smtp/pool/pool-clock.ts";
import { probeServer } from "./smtp/probe-server.ts";
import { parseSmtpUrl } from "./smtp/settings/parse-smtp-url.ts";
import type { ServerSettings, SmtpTimeouts, SmtpTls } from "./smtp/settings/server-settings.ts";
import { tenantSettings } from "./smtp/settings/tenant-settings.ts";
import { verifyServer } from "./smtp/verify-server.ts";
import { checkSmtpOptions, type SmtpMailerOptions } from "./smtp-mailer-options.ts";

const defaultTimeouts: SmtpTimeouts = {
  connect: 30_000,
  greeting: 300_000,
  command: 300_000,
  dot: 600_000,
  conversation: 1_800_000,
};
const defaultServerTimeouts: SmtpTimeouts = {
  connect: 4_000,
  greeting: 30_000,
  command: 120_000,
  dot: 600_000,
  conversation: 900_000,
};

/**
 * Creates a mailer that delivers to SMTP servers over pooled connections (RFC 5321) and signs mail for which there is a
 * DKIM key (RFC 6376). Throws a TypeError for a bad URL or DKIM key, and for an option that is unknown or wrong, and an
 * Error on Deno. It connects only when the first message is sent.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  assertNotDeno(process.versions);
  checkSmtpOptions(options);
  const own = readOwn(options);
  const { concurrency, timeouts } = own;
  const compose = createComposer();
  const sign = createDkimSigner(options.dkim);
  let underWay = 0;
  let awake: NodeJS.Timeout | undefined;
  const idlers: (() => void)[] = [];
  const pools = createPools(own, options);
  let isClosed = false;

  const deliver: Mailer["send"] = async (message, { signal, isStillOurs } = {}) => {
    assertEnvelope(message.envelope);
    if (isClosed) return { ...deferAll(message, closedHold.reason), held: closedHold };
    if (message.envelope.to.length === 0) return { recipients: [], inDoubt: false };
    const composed = compose(
      message,
      message.attachments.length === 0 ? noAttachedMessages : await readAttachedMessages(message),
    );
    let source: MessageSource;
    try {
      const { host } = message.server ?? own.server;
      const signed = sign(composed, message, replacedFields(host));
      source = signed instanceof Promise ? await signed : signed;
    } catch (error) {
      if (error instanceof Error && error.name === "AttachmentUnreadable") throw error;
      // Unsigned mail would harm the domain's reputation; the key can be corrected while the mail waits.
      return deferAll(message, `the mail can't be signed: ${words(error)}`);
    }
    const { server, envelope, emailId: envelopeId, requiresTls, workspaceId, lane } = message;
    const patience = server?.patienceMs;
    const pool = pools.poolOf(server);
    const delivery = {
      ...envelope,
      source,
      envelopeId,
      isInternational: hasInternational(message),
      requiresTls,
      needsLogin: server?.needsLogin,
      workspaceId,
      lane,
      signal,
      isStillOurs,
      patience,
    };
    const isApart = delivery.isInternational && envelope.to.length > 1 && !isInternationalForAll(message);
    return isApart ? deliverApart(pool, delivery) : pool.deliver(delivery);
  };

  return {
    concurrency,
    // What waits is sent ahead on a connection, or goes to whichever is free first.
    backlog: concurrency * 9,
    timeoutMs: Number.POSITIVE_INFINITY,
    async send(message, options) {
      underWay += 1;
      // A message that waits for the place of a closing connection has nothing else that keeps the process alive.
      awake ??= setInterval(() => {}, maxTimerMs);
      try {
        return await deliver(message, options);
      } finally {
        underWay -= 1;
        if (underWay === 0) {
          clearInterval(awake);
          awake = undefined;
          for (const idle of idlers.splice(0)) idle();
        }
      }
    },
    probe: (server, given) =>
      probeServer(pools.settingsOf(server), { ...given, needsLogin: server.needsLogin }),
    signs: (domain) => (options.dkim ?? []).some((key) => isWithinDomain(`@${domain}`, key.domain)),
    verify: () => verifyServer(own.server, timeouts),
    async close() {
      isClosed = true;
      pools.close();
      if (underWay > 0) await new Promise<void>((idle) => idlers.push(idle));
    },
  };
}

interface OwnServer {
  server: ServerSettings;
  concurrency: number;
  messagesPerConnection: number;
  maxPerSecond: number | undefined;
  timeouts: SmtpTimeouts;
}

/** Settings of the mailer's own server: the URL takes precedence over the options, these over the defaults. */
function readOwn(options: SmtpMailerOptions): OwnServer {
  const url = parseSmtpUrl(options.url);
  const tls = (): SmtpTls => ({ ...options.tls, ...url.server.tls?.() });
  const accessToken = url.server.accessToken ?? options.accessToken;
  if (accessToken !== undefined && url.server.username === undefined)
    throw new TypeError("an access token needs the user's name in the SMTP URL");
  return {
    server: {
      ...url.server,
      tls,
      // Names of internal servers may be relative to a search domain; a tenant's never are.
      resolver: createHostResolver({ searches: true }),
      ...(accessToken === undefined ? {} : { accessToken }),
    },
    concurrency: url.connections ?? options.connections ?? 10,
    messagesPerConnection: url.messagesPerConnection ?? options.messagesPerConnection ?? 100,
    maxPerSecond: url.maxPerSecond ?? options.maxPerSecond,
    timeouts: { ...withDefaults(defaultTimeouts, options.timeouts), ...url.timeouts },
  };
}

/** A workspace's server with the settings its pool was created from. */
interface ServerPool {
  version: number;
  pool: ConnectionPool;
}

/** The pool of the mailer's own server, and the pools of workspaces' servers by id. */
function createPools(own: OwnServer, options: SmtpMailerOptions) {
  const { timeouts } = own;
  const serverPools = new Map<string, ServerPool>();
  const hosts = createHostPlaces(options.connectionsPerHost ?? 20);
  const common = { idleTime: options.idleTime ?? 5000, clock: steadyClock };
  const ownPool = createConnectionPool({
    ...common,
    timeouts,
    server: own.server,
    connections: own.concurrency,
    messagesPerConnection: own.messagesPerConnection,
    maxPerSecond: own.maxPerSecond,
    isShared: true,
  });
  const resolver = createHostResolver();

  const settingsOf = (server: SmtpServerAddress): ServerSettings =>
    tenantSettings(server, { ...options, clientName: own.server.clientName, resolver });
  const openPool = (server: SmtpServerAddress) =>
    createConnectionPool({
      ...common,
      timeouts: withDefaults(defaultServerTimeouts, options.serverTimeouts),
      hosts,
      server: settingsOf(server),
      connections: options.serverConnections ?? 3,
      messagesPerConnection: options.messagesPerConnection ?? 100,
      isShared: false,
    });
  return {
    settingsOf,
    poolOf(server: SmtpServerAddress | undefined): ConnectionPool {
      if (server === undefined) return ownPool;
      const known = serverPools.get(server.id);
      // A message that began before the settings changed also uses the new ones.
      const isKnown = known !== undefined && known.version >= server.version;
      const one = isKnown ? known : { version: server.version, pool: openPool(server) };
      if (!isKnown) known?.pool.retire();
      serverPools.delete(server.id);
      serverPools.set(server.id, one);
      if (server.connections !== undefined) one.pool.setConnections(server.connections);
      if (serverPools.size > (options.servers ?? 50)) retireLeastUsed(serverPools);
      return one.pool;
    },
    close() {
      for (const pool of [ownPool, ...[...serverPools.values()].map((one) => one.pool)]) pool.close();
      serverPools.clear();
    },
  };
}

function assertEnvelope(envelope: MailMessage["envelope"]): void {
  // An empty sender is the null reverse-path (RFC 5321 section 4.5.5).
  if (envelope.from !== "") assertAddress(envelope.from, "envelope.from");
  for (const address of envelope.to) assertAddress(address, "envelope.to");
}

function retireLeastUsed(pools: Map<string, ServerPool>): void {
  const oldest = [...pools.keys()].slice(0, -1);
  const id = oldest.find((candidate) => !pools.get(candidate)?.pool.isBusy()) ?? oldest[0];
  if (id === undefined) return;
  pools.get(id)?.pool.retire();
  pools.delete(id);
}

function deferAll(message: MailMessage, reply: string): MailResult {
  const line = oneLine(reply);
  return {
    recipients: message.envelope.to.map((address) => ({ address, outcome: "deferred", reply: line })),
    inDoubt: false,
  };
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
