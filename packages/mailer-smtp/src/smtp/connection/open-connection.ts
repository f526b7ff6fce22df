import { TLSSocket } from "node:tls";
import type { ServerSettings, SmtpTimeouts } from "../settings/server-settings.ts";
import { logIn } from "./log-in.ts";
import { openSocket, type SocketWatch, secureSocket } from "./open-socket.ts";
import { createReplyChannel, type ReplyChannel } from "./reply-channel.ts";
import type { SmtpReply } from "./reply-reader.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** A connection after EHLO and login. */
export interface SmtpConnection {
  channel: ReplyChannel;
  /** The server's extensions by keyword in capitals, with their parameters (RFC 5321 section 4.1.1.1). */
  extensions: Map<string, string>;
  isLoggedIn: boolean;
  /** Whether the server may require a login that was not made, judged by its port, its offer or the settings. */
  lacksLogin: boolean;
  /** Whether the settings have a login, of which the server offered none. */
  isLoginUnoffered: boolean;
  /** Whether the connection is encrypted. */
  isSecure: boolean;
  /** Why it is not, if TLS was tried. */
  tlsFault: string | undefined;
  /**
   * Whether this is Dovecot's submission service (2.3.19), by its greeting or, as that can be set, its rare offer of BURL
   * (RFC 4468). It mishandles pipelined commands (RFC 2920) in two ways. It passes on all recipients before it refuses those
   * beyond its limit (`submission_max_recipients`), so that these get the message as well; and after an envelope behind a
   * content it relays the content and crashes without a reply. Either would send it twice.
   */
  isDovecot: boolean;
}

/** Ms that a server may take to answer QUIT. */
const goodbye = 1000;
/** Submission ports, where a login is usual (RFC 6409, RFC 8314). */
const submissionPorts = new Set([465, 587]);

/** Observes a connection being opened. */
export interface SessionWatch extends SocketWatch {
  /** Runs a step. */
  take<T>(step: "connect" | "greeting" | "ehlo" | "starttls" | "auth", work: () => Promise<T>): Promise<T>;
}

export const unwatched: SessionWatch = { take: (_, work) => work() };

/**
 * Connects, sends EHLO, starts TLS and logs in, as the settings require, within `remaining` ms. Rejects with an
 * SmtpFault.
 */
export async function openConnection(
  server: ServerSettings,
  timeouts: SmtpTimeouts,
  watch: SessionWatch = unwatched,
  remaining = timeouts.conversation,
): Promise<SmtpConnection> {
  const deadline = performance.now() + remaining;
  const limit = (limited: ReplyChannel) =>
    limited.endWithin(deadline - performance.now(), timeouts.conversation);
  const connect = () => openSocket(server, timeouts.connect, watch);
  let channel = createReplyChannel(await watch.take("connect", connect));
  limit(channel);
  const hello = () => watch.take("ehlo", () => sayHello(channel, server, timeouts));
  try {
    const greeting = await watch.take("greeting", () => hearGreeting(channel, timeouts));
    let extensions = await hello();
    const isOffered = extensions.has("STARTTLS");
    let tlsFault: string | undefined;
    if (server.security === "starttls" || (server.security === "opportunistic" && isOffered)) {
      const secured = await watch.take("starttls", async () => {
        if (!isOffered)
          throw new SmtpFault("settings", "the server offers no STARTTLS, and cleartext is not allowed");
        return startTls(channel, server, timeouts);
      });
      // Extensions offered in cleartext no longer count (RFC 3207 section 4.2).
      if ("socket" in secured) {
        channel = secured;
        limit(channel);
        extensions = await hello().catch(blameTls);
      } else tlsFault = refusalOfTls(secured).words;
    }
    const hasLogin = server.username !== undefined && server.username !== "";
    const login = hasLogin && (await watch.take("auth", () => logIn(channel, server, extensions, timeouts)));
    const mayWantLogin =
      server.username !== undefined || submissionPorts.has(server.port) || extensions.has("AUTH");
    const isSecure = channel.socket instanceof TLSSocket;
    return {
      channel,
      extensions,
      isLoggedIn: Boolean(login),
      lacksLogin: !login && mayWantLogin,
      isLoginUnoffered: hasLogin && !login,
      isSecure,
      tlsFault,
      isDovecot: /\bdovecot\b/i.test(greeting.text) || extensions.has("BURL"),
    };
  } catch (error) {
    channel.destroy();
    throw error;
  }
}

async function hearGreeting(channel: ReplyChannel, timeouts: SmtpTimeouts): Promise<SmtpReply> {
  const reply = await channel.read(timeouts.greeting, "the connection");
  if (reply.code !== 220) throw new SmtpFault("network", "the server refuses the connection", reply);
  return reply;
}

/**
 * Whether TLS is opportunistic: tried if offered, with cleartext if it fails (RFC 7435). Never if a password would be
 * sent.
 */
export function isTlsOptional({ security, username }: ServerSettings): boolean {
  return security === "opportunistic" && username === undefined;
}

/** Sends QUIT and closes, without waiting long for the reply. Calls `onClosed` once the connection is closed. */
export function quit({ channel }: SmtpConnection, onClosed: () => void = () => {}): void {
  const { socket } = channel;
  if (socket.destroyed) {
    queueMicrotask(onClosed);
    return;
  }
  socket.once("close", onClosed);
  socket.end("QUIT\r\n");
  setTimeout(() => socket.destroy(), goodbye).unref();
  socket.unref();
}

async function sayHello(channel: ReplyChannel, server: ServerSettings, timeouts: SmtpTimeouts) {
  let reply = await ask(channel, `EHLO ${server.clientName}`, timeouts.command);
  const isExtended = reply.code === 250;
  if (reply.code >= 500) reply = await ask(channel, `HELO ${server.clientName}`, timeouts.command);
  if (reply.code !== 250) throw new SmtpFault("network", "the server refuses EHLO", reply);
  const extensions = new Map<string, string>();
  for (const line of isExtended ? reply.lines.slice(1) : []) {
    const [keyword = "", ...parameters] = line.trim().split(/[ =]+/);
    // Some servers end the list with a line without a keyword.
    if (keyword === "") continue;
    const known = extensions.get(keyword.toUpperCase());
    extensions.set(keyword.toUpperCase(), [...(known ? [known] : []), ...parameters].join(" ").toUpperCase());
  }
  return extensions;
}

/** The channel over TLS; or the server's reply, if it refuses TLS and cleartext is allowed. */
async function startTls(
  channel: ReplyChannel,
  server: ServerSettings,
  timeouts: SmtpTimeouts,
): Promise<ReplyChannel | SmtpReply> {
  const reply = await ask(channel, "STARTTLS", timeouts.command);
  if (reply.code >= 400 && reply.code !== 421 && isTlsOptional(server)) return reply;
  if (reply.code !== 220) throw refusalOfTls(reply);
  channel.release();
  return createReplyChannel(await secureSocket(channel.socket, server, timeouts.connect));
}

const refusalOfTls = (reply: SmtpReply) => new SmtpFault("tls", "the server refuses STARTTLS", reply);

/**
 * In TLS 1.3 a client's handshake ends before the server has judged it: one that then closes without a word refuses TLS.
 * What it says of that is lost if it resets the connection.
 */
function blameTls(error: unknown): never {
  const isLost = error instanceof SmtpFault && error.kind === "network" && error.reply === undefined;
  throw isLost ? new SmtpFault("tls", error.message) : error;
}

/** Sends one command and reads its reply. */
export function ask(channel: ReplyChannel, command: string, timeout: number): Promise<SmtpReply> {
  channel.write(`${command}\r\n`);
  return channel.read(timeout, command.split(" ", 1)[0] ?? "");
}
