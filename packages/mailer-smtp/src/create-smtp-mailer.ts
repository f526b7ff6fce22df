import type { DkimKey, Mailer, MailMessage, MailResult, SmtpServerAddress } from "@posthorn/core";
import { createHostResolver } from "@posthorn/core/network";
import { assertAddress } from "./compose/assert-header-safe.ts";
import { noAttachedMessages, readAttachedMessages } from "./compose/attached-messages.ts";
import { createComposer } from "./compose/compose-message.ts";
import { hasInternational } from "./compose/is-international.ts";
import type { MessageSource } from "./compose/message-source.ts";
import { createDkimSigner, isWithinDomain } from "./compose/sign-dkim.ts";
import { closedHold } from "./smtp/closed-hold.ts";
import { type ConnectionPool, createConnectionPool } from "./smtp/create-connection-pool.ts";
import { createHostPlaces } from "./smtp/create-host-places.ts";
import { createOpener } from "./smtp/create-opener.ts";
import { oneLine } from "./smtp/one-line.ts";
import { quit } from "./smtp/open-connection.ts";
import { parseSmtpUrl } from "./smtp/parse-smtp-url.ts";
import { steadyClock } from "./smtp/pool-clock.ts";
import { probeServer } from "./smtp/probe-server.ts";
import type { ServerSettings, SmtpTimeouts, SmtpTls } from "./smtp/server-settings.ts";
import { SmtpFault } from "./smtp/smtp-fault.ts";
import { tenantSettings } from "./smtp/tenant-settings.ts";

/** Options of the SMTP mailer. Times are in ms. Parameters of the URL take precedence over these options. */
export interface SmtpMailerOptions {
  /**
   * The mailer's own server: `smtp://[user:password@]host[:port]`, or `smtps://…` for TLS from the start; `@` in a name or password is
   * `%40`. Ports default to 25, to 587 with a login, and to 465 for `smtps`. Parameters, as in `?security=starttls&connections=5`:
   * `security` (`none`, `opportunistic`, `starttls`, `tls`), `insecure_tls`, `ca_file`, `cert_file` and `key_file`, `tls_min`, `auth`
   * (`plain`, `login`, `cram-md5`, `xoauth2`), `token_file`, `name`, `local_address`, `envelope_sender`, `dsn`, `connections`,
   * `messages_per_connection`, `max_per_second`, and in seconds `connect_timeout`, `greeting_timeout`, `command_timeout`, `dot_timeout`.
   */
  url: string;
  /** Maximum number of connections to the mailer's own server. Default 10. */
  connections?: number;
  /** Maximum number of connections to each workspace's server, unless the message says otherwise. Default 3. */
  serverConnections?: number;
  /** Maximum number of connections to one host, over all workspaces' servers there. Default 20. */
  connectionsPerHost?: number;
  /**
   * Maximum number of workspace servers with open connections; beyond it the least recently used server's are closed.
   * Default 50.
   */
  servers?: number;
  /** Messages after which a connection is replaced. Default 100. */
  messagesPerConnection?: number;
  /**
   * Keys of your own domain. Mail from it and its subdomains is signed with each of them, for example one RSA and one
   * Ed25519 key (RFC 6376, RFC 8463).
   */
  dkim?: readonly DkimKey[];
  /** Maximum messages per second for the mailer's own server. Default: as many as it accepts. */
  maxPerSecond?: number;
  /** Ms for which an idle connection is kept. Default 5 s. */
  idleTime?: number;
  /** Defaults: connect 30 s, greeting 300 s, command 300 s, dot 600 s (RFC 5321 section 4.5.3.2). */
  timeouts?: Partial<SmtpTimeouts>;
  /**
   * Time-outs for workspaces' servers. Defaults: connect 4 s, greeting 30 s, command 120 s, dot 600 s. They are shorter
   * because there is often another server to fall back to.
   */
  serverTimeouts?: Partial<SmtpTimeouts>;
  /** Root certificates, client certificate and oldest TLS version for the mailer's own server. */
  tls?: SmtpTls;
  /** Fetches an OAuth 2 access token for the URL's user, at each login to the mailer's own server (XOAUTH2). */
  accessToken?: () => string | Promise<string>;
  /**
   * Whether workspaces' servers may have private addresses and ports other than 25, 465, 587 and 2525. Default false.
   */
  allowPrivateServers?: boolean;
  /** Whether workspaces' servers need no valid certificate. Default false. */
  allowInsecureServers?: boolean;
}

const defaultTimeouts: SmtpTimeouts = { connect: 30_000, greeting: 300_000, command: 300_000, dot: 600_000 };
const defaultServerTimeouts: SmtpTimeouts = {
  connect: 4_000,
  greeting: 30_000,
  command: 120_000,
  dot: 600_000,
};

/**
 * Creates a mailer that delivers to SMTP servers over pooled connections (RFC 5321) and signs mail for which there is a
 * DKIM key (RFC 6376). Throws a TypeError for a bad URL or DKIM key. It connects only when the first message is sent.
 */
export function createSmtpMailer(options: SmtpMailerOptions): Mailer {
  const own = readOwn(options);
  const { concurrency, timeouts } = own;
  const compose = createComposer();
  const sign = createDkimSigner(options.dkim);
  let underWay = 0;
  const idlers: (() => void)[] = [];
  const pools = createPools(own, options);
  let isClosed = false;

  const deliver = async (message: MailMessage, signal: AbortSignal | undefined): Promise<MailResult> => {
    assertEnvelope(message.envelope);
    if (isClosed) return { ...deferAll(message, closedHold.reason), held: closedHold };
    if (message.envelope.to.length === 0) return { recipients: [], inDoubt: false };
    const composed = compose(
      message,
      message.attachments.length === 0 ? noAttachedMessages : await readAttachedMessages(message),
    );
    let source: MessageSource;
    try {
      const signed = sign(composed, message);
      source = signed instanceof Promise ? await signed : signed;
    } catch (error) {
      if (error instanceof Error && error.name === "AttachmentUnreadable") throw error;
      // Unsigned mail would harm the domain's reputation; the key can be corrected while the mail waits.
      return deferAll(message, `the mail can't be signed: ${words(error)}`);
    }
    const { server, envelope, emailId: envelopeId, requiresTls } = message;
    const patience = server?.patienceMs;
    return pools.poolOf(server).deliver({
      ...envelope,
      source,
      envelopeId,
      isInternational: hasInternational(message),
      requiresTls,
      signal,
      patience,
    });
  };

  return {
    concurrency,
    async send(message, { signal } = {}) {
      underWay += 1;
      try {
        return await deliver(message, signal);
      } finally {
        underWay -= 1;
        if (underWay === 0) for (const idle of idlers.splice(0)) idle();
      }
    },
    probe: (server, given) => probeServer(pools.settingsOf(server), given),
    signs: (domain) => (options.dkim ?? []).some((key) => isWithinDomain(`@${domain}`, key.domain)),
    async verify() {
      const settings = own.server;
      try {
        const connection = await createOpener(settings, timeouts, steadyClock)();
        quit(connection);
        return settings.username !== undefined && connection.lacksLogin
          ? "the server offers no login, so mail goes without"
          : undefined;
      } catch (error) {
        if (!(error instanceof SmtpFault)) throw error;
        return error.words;
      }
    },
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
  const tls = { ...options.tls, ...url.server.tls };
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
    timeouts: { ...defaultTimeouts, ...options.timeouts, ...url.timeouts },
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
      timeouts: { ...defaultServerTimeouts, ...options.serverTimeouts },
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
