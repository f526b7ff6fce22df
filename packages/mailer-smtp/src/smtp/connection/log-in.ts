import { createHmac } from "node:crypto";
import {
  type ServerSettings,
  type SmtpMechanism,
  type SmtpTimeouts,
  smtpMechanisms,
  tokenMechanisms,
} from "../settings/server-settings.ts";
import { createSecretRemover } from "./create-secret-remover.ts";
import { encode, initialResponses, type Login } from "./initial-responses.ts";
import type { ReplyChannel } from "./reply-channel.ts";
import type { SmtpReply } from "./reply-reader.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** The login dialogue. `say` sends a line that is a secret and reads the reply. */
type Conversation = (login: Login, say: (line: string) => Promise<SmtpReply>) => Promise<SmtpReply>;

/**
 * Refusals of the mechanism rather than the credentials (RFC 4954 section 6; 500 to 502 from servers that don't know
 * the mechanism).
 */
const mechanismRefusals = new Set([500, 501, 502, 503, 504, 534]);

/**
 * Tries the mechanisms that both sides support until the server accepts one (RFC 4954). Returns its reply, or
 * `undefined` if the server offers no login at all, in which case mail is sent without. Rejects with an SmtpFault if
 * the server refuses.
 */
export async function logIn(
  channel: ReplyChannel,
  server: ServerSettings,
  extensions: Map<string, string>,
  timeouts: SmtpTimeouts,
): Promise<SmtpReply | undefined> {
  if (server.username === undefined || server.username === "") return undefined;
  const offered = (extensions.get("AUTH") ?? "").toLowerCase().split(" ").filter(Boolean);
  if (offered.length === 0) return undefined;
  const usable = smtpMechanisms.filter((name) => isUsable(name, server) && offered.includes(name));
  if (usable.length === 0) {
    const wanted = smtpMechanisms.filter((name) => isUsable(name, server));
    const listed = (names: readonly string[]) => names.join(", ").toUpperCase();
    throw new SmtpFault(
      "settings",
      `the server offers no login by ${listed(wanted)}, only by ${listed(offered)}`,
    );
  }
  const login = { username: server.username, secret: await findSecret(server, timeouts.command) };
  const clean = createSecretRemover({ ...login, password: login.secret });
  const cleanReply = (reply: SmtpReply): SmtpReply => ({ ...reply, text: clean(reply.text) });
  const say = (line: string) => {
    channel.write(`${line}\r\n`);
    return channel.read(timeouts.command, "AUTH");
  };
  try {
    return cleanReply(await tryMechanisms(usable, login, say));
  } catch (error) {
    // A server may repeat a token, which nothing after the login knows.
    if (!(error instanceof SmtpFault)) throw error;
    throw new SmtpFault(error.kind, clean(error.message), error.reply && cleanReply(error.reply));
  }
}

async function tryMechanisms(
  usable: readonly SmtpMechanism[],
  login: Login,
  say: (line: string) => Promise<SmtpReply>,
): Promise<SmtpReply> {
  let reply: SmtpReply | undefined;
  for (const name of usable) {
    reply = await conversations[name](login, say);
    // An unexpected challenge is cancelled, so that the next mechanism can begin.
    if (reply.code === 334) reply = await say("*");
    if (reply.code === 235) return reply;
    if (!mechanismRefusals.has(reply.code)) break;
  }
  if (reply !== undefined && reply.code < 500)
    throw new SmtpFault("network", "the server defers the login", reply);
  throw new SmtpFault("settings", "the server refuses the login", reply);
}

function isUsable(name: SmtpMechanism, { mechanism, accessToken }: ServerSettings): boolean {
  if (mechanism !== undefined) return name === mechanism;
  return tokenMechanisms.includes(name) === (accessToken !== undefined);
}

async function findSecret({ accessToken, password = "" }: ServerSettings, timeout: number): Promise<string> {
  if (accessToken === undefined) return password;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`none within ${timeout} ms`)), timeout);
  });
  try {
    const token: unknown = await Promise.race([accessToken(), late]);
    if (typeof token !== "string" || token === "") throw new Error("it is no text, or empty");
    if (/[^!-~]/.test(token)) throw new Error("it contains spaces, line breaks or characters beyond ASCII");
    return token;
  } catch (error) {
    throw new SmtpFault("settings", `no access token could be obtained: ${String(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Octets of a command line, its end included (RFC 5321 section 4.5.3.1.4). */
const maxLine = 512;

/** Refusals of a command line's syntax, as by servers that take no initial response. */
const syntaxRefusals = new Set([500, 501]);

/**
 * Sends AUTH with the initial response. One that a command line has no room for, such as a long token, follows once the
 * server asks for it (RFC 4954 section 4), and so does one that the server refused there. One that it ignored is repeated:
 * it asks by an empty challenge.
 */
async function begin(
  mechanism: string,
  response: string,
  say: (line: string) => Promise<SmtpReply>,
  asks = (challenge: string): boolean => challenge === "",
): Promise<SmtpReply> {
  const line = `AUTH ${mechanism} ${response}`;
  if (line.length + 2 <= maxLine) {
    const reply = await say(line);
    if (reply.code === 334 && asks((reply.lines[0] ?? "").trim())) return say(response);
    if (!syntaxRefusals.has(reply.code)) return reply;
  }
  const reply = await say(`AUTH ${mechanism}`);
  return reply.code === 334 ? say(response) : reply;
}

const conversations: Record<SmtpMechanism, Conversation> = {
  // The server has nothing else to say, whatever its challenge is.
  plain: (login, say) => begin("PLAIN", initialResponses.plain(login), say, () => true),
  async login({ username, secret }, say) {
    let reply = await say("AUTH LOGIN");
    if (reply.code === 334) reply = await say(encode(username));
    return reply.code === 334 ? say(encode(secret)) : reply;
  },
  // RFC 2195.
  async "cram-md5"({ username, secret }, say) {
    const reply = await say("AUTH CRAM-MD5");
    if (reply.code !== 334) return reply;
    const challenge = Buffer.from(reply.lines[0] ?? "", "base64");
    return say(encode(`${username} ${createHmac("md5", secret).update(challenge).digest("hex")}`));
  },
  // A refusal arrives as a challenge that holds the reason; an empty line answers it.
  async xoauth2(login, say) {
    const reply = await begin("XOAUTH2", initialResponses.xoauth2(login), say);
    return reply.code === 334 ? say("") : reply;
  },
  // The same, answered by the separator (RFC 7628 section 3.2.3).
  async oauthbearer(login, say) {
    const reply = await begin("OAUTHBEARER", initialResponses.oauthbearer(login), say);
    return reply.code === 334 ? say(encode("\x01")) : reply;
  },
};
