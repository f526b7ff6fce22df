import { openSocket, secureSocket } from "./open-socket.ts";
import { createReplyChannel, type ReplyChannel } from "./reply-channel.ts";
import type { SmtpReply } from "./reply-reader.ts";
import type { ServerSettings, SmtpTimeouts } from "./server-settings.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** A connection that has said hello and logged in. */
export interface SmtpConnection {
  channel: ReplyChannel;
  /** What the server offers, by keyword in capitals, with its parameters (RFC 5321 section 4.1.1.1). */
  extensions: Map<string, string>;
}

/** Connects, greets, starts TLS and logs in, as far as the settings say. Rejects with an SmtpFault. */
export async function openConnection(
  server: ServerSettings,
  timeouts: SmtpTimeouts,
): Promise<SmtpConnection> {
  let channel = createReplyChannel(await openSocket(server, timeouts.connect));
  try {
    const greeting = await channel.read(timeouts.greeting, "the connection");
    if (greeting.code !== 220) throw new SmtpFault("the server refuses the connection", { reply: greeting });
    let extensions = await sayHello(channel, server, timeouts);
    if (wantsTls(server, extensions)) {
      channel = await startTls(channel, server, timeouts);
      // What was offered in cleartext counts for nothing any more (RFC 3207 section 4.2).
      extensions = await sayHello(channel, server, timeouts);
    }
    await logIn(channel, server, extensions, timeouts);
    return { channel, extensions };
  } catch (error) {
    channel.destroy();
    throw error;
  }
}

/** Says goodbye and closes, without waiting long for the answer. */
export function quit({ channel }: SmtpConnection): void {
  const { socket } = channel;
  if (socket.destroyed) return;
  socket.end("QUIT\r\n");
  setTimeout(() => socket.destroy(), 1000).unref();
  socket.unref();
}

async function sayHello(channel: ReplyChannel, server: ServerSettings, timeouts: SmtpTimeouts) {
  let reply = await ask(channel, `EHLO ${server.clientName}`, timeouts.command);
  const isExtended = reply.code === 250;
  if (reply.code >= 500) reply = await ask(channel, `HELO ${server.clientName}`, timeouts.command, "HELO");
  if (reply.code !== 250) throw new SmtpFault("the server refuses EHLO", { reply });
  const extensions = new Map<string, string>();
  for (const line of isExtended ? reply.lines.slice(1) : []) {
    const [keyword = "", ...parameters] = line.trim().split(/[ =]+/);
    const known = extensions.get(keyword.toUpperCase());
    extensions.set(keyword.toUpperCase(), [...(known ? [known] : []), ...parameters].join(" ").toUpperCase());
  }
  return extensions;
}

function wantsTls({ security }: ServerSettings, extensions: Map<string, string>): boolean {
  if (security === "none" || security === "tls") return false;
  if (extensions.has("STARTTLS")) return true;
  if (security === "starttls")
    throw new SmtpFault("the server offers no STARTTLS, and cleartext is not allowed");
  return false;
}

async function startTls(channel: ReplyChannel, server: ServerSettings, timeouts: SmtpTimeouts) {
  const reply = await ask(channel, "STARTTLS", timeouts.command);
  if (reply.code !== 220) throw new SmtpFault("the server refuses STARTTLS", { reply });
  channel.release();
  return createReplyChannel(await secureSocket(channel.socket, server, timeouts.connect));
}

async function logIn(
  channel: ReplyChannel,
  { username, password = "" }: ServerSettings,
  extensions: Map<string, string>,
  timeouts: SmtpTimeouts,
): Promise<void> {
  if (username === undefined || username === "") return;
  const mechanisms = (extensions.get("AUTH") ?? "").split(" ");
  const encode = (text: string) => Buffer.from(text).toString("base64");
  let reply: SmtpReply;
  if (mechanisms.includes("PLAIN")) {
    // RFC 4616.
    reply = await ask(
      channel,
      `AUTH PLAIN ${encode(`\0${username}\0${password}`)}`,
      timeouts.command,
      "AUTH",
    );
  } else if (mechanisms.includes("LOGIN")) {
    reply = await ask(channel, "AUTH LOGIN", timeouts.command);
    if (reply.code === 334) reply = await ask(channel, encode(username), timeouts.command, "AUTH");
    if (reply.code === 334) reply = await ask(channel, encode(password), timeouts.command, "AUTH");
  } else {
    throw new SmtpFault("the server offers neither AUTH PLAIN nor AUTH LOGIN");
  }
  if (reply.code !== 235) throw new SmtpFault("the server refuses the login", { reply });
}

/** Sends one command and reads its reply. `what` names it in faults, where it holds secrets. */
export function ask(
  channel: ReplyChannel,
  command: string,
  timeout: number,
  what = command,
): Promise<SmtpReply> {
  channel.write(command + "\r\n");
  return channel.read(timeout, what.split(" ", 1)[0] ?? "");
}
