import type { MailResult, RecipientResult } from "@posthorn/core";
import { dotStuff } from "./dot-stuff.ts";
import type { SmtpConnection } from "./open-connection.ts";
import type { SmtpReply } from "./reply-reader.ts";
import type { SmtpTimeouts } from "./server-settings.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** The envelope and the bytes of one message. */
export interface Delivery {
  from: string;
  to: string[];
  source: Buffer;
}

/** One SMTP transaction on one connection. */
export interface Transaction extends MailResult {
  /** Whether the connection is fit for another message. */
  isReusable: boolean;
  /** Whether a new connection may do better: this one was lost, or the server is closing it, before the final dot. */
  isWorthRetry: boolean;
}

/** What ends a transaction before all recipients are settled. */
interface Ending {
  outcome: "accepted" | "deferred" | "refused";
  reply: string;
  code?: number;
}

const smallMessage = 32 * 1024;
const pieceOfMessage = 256 * 1024;
/** Refusals that tell of the login or of TLS, not of the mail (RFC 4954 section 6): no reason to give the mail up. */
const settingFaults = new Set([530, 534, 535, 538]);

/** Runs one transaction, pipelined where the server allows it (RFC 2920). Never rejects for the server's faults. */
export async function transact(
  connection: SmtpConnection,
  delivery: Delivery,
  timeouts: SmtpTimeouts,
): Promise<Transaction> {
  const state: State = {
    connection,
    delivery,
    timeouts,
    recipients: [],
    hasSentDot: false,
    isDotAnswered: false,
  };
  try {
    const ending = await converse(state);
    return finish(state, ending, ending.code === 421);
  } catch (error) {
    if (!(error instanceof SmtpFault)) throw error;
    // A refusal counts although the server hung up after it.
    const ending = state.refusal ?? endingOf(error);
    connection.channel.destroy();
    return { ...finish(state, ending, error.isLost || ending.code === 421), isReusable: false };
  }
}

interface State {
  connection: SmtpConnection;
  delivery: Delivery;
  timeouts: SmtpTimeouts;
  recipients: RecipientResult[];
  hasSentDot: boolean;
  isDotAnswered: boolean;
  /** What MAIL FROM was answered, where it was refused. */
  refusal?: Ending;
}

/** The outcome of a fault for every recipient not settled: deferred, with the server's words where there are any. */
export function endingOf(fault: SmtpFault): Ending {
  if (fault.reply === undefined) return { outcome: "deferred", reply: fault.message };
  return { outcome: "deferred", reply: fault.reply.text, code: fault.reply.code };
}

function finish(state: State, ending: Ending, mayRetry: boolean): Transaction {
  const { delivery, recipients, hasSentDot } = state;
  const settled = delivery.to.map((address, index) => {
    const known = recipients[index];
    return known === undefined || known.outcome === "accepted" ? { address, ...ending } : known;
  });
  const isClosing = settled.some(({ code }) => code === 421);
  return {
    recipients: settled,
    inDoubt: hasSentDot && !state.isDotAnswered,
    isReusable: !isClosing && state.connection.channel.isQuiet(),
    isWorthRetry: mayRetry && !hasSentDot && recipients.every(({ outcome }) => outcome === "accepted"),
  };
}

async function converse(state: State): Promise<Ending> {
  const { connection, delivery, timeouts, recipients } = state;
  const { channel } = connection;
  const read = (what: string) => channel.read(timeouts.command, what);
  const isPipelined = connection.extensions.has("PIPELINING");
  const size = connection.extensions.has("SIZE") ? ` SIZE=${delivery.source.length}` : "";
  const mail = `MAIL FROM:<${delivery.from}>${size}\r\n`;
  const commands = delivery.to.map((address) => `RCPT TO:<${address}>\r\n`);

  channel.write(isPipelined ? mail + commands.join("") + "DATA\r\n" : mail);
  const mailReply = await read("MAIL");
  assertInStep(mailReply);
  const isOpen = isSuccess(mailReply);
  if (!isOpen) state.refusal = refusal(mailReply);
  if (!isOpen && !isPipelined) return refusal(mailReply);

  for (const [index, address] of delivery.to.entries()) {
    if (!isPipelined) channel.write(commands[index] ?? "");
    const reply = await read("RCPT");
    assertInStep(reply);
    if (isOpen) recipients.push(recipientResult(address, reply));
  }
  const hasRecipient = recipients.some(({ outcome }) => outcome === "accepted");
  if (!isPipelined) {
    if (!hasRecipient) return { outcome: "deferred", reply: "" };
    channel.write("DATA\r\n");
  }
  const dataReply = await read("DATA");
  if (!hasRecipient) {
    // Some servers wait for a message although they accepted nobody (RFC 2920 section 3.1): they get none.
    if (dataReply.code === 354) channel.destroy();
    return refusal(mailReply);
  }
  if (dataReply.code !== 354) return refusal(dataReply);
  return sendContent(state);
}

async function sendContent(state: State): Promise<Ending> {
  const { connection, delivery, timeouts } = state;
  const { channel } = connection;
  const content = dotStuff(delivery.source);
  if (content.length > smallMessage) {
    // Waits until the system has taken all of it, so that a loss on the way is known to have come before the dot.
    for (let start = 0; start < content.length; start += pieceOfMessage) {
      await channel.flush(content.subarray(start, start + pieceOfMessage), timeouts.command);
    }
  }
  const early = channel.takeEarly();
  if (early !== undefined)
    throw new SmtpFault("the server answered before the end of the message", { reply: early });
  if (!channel.isQuiet()) throw new SmtpFault("the server closed the connection", { isLost: true });
  state.hasSentDot = true;
  channel.write(content.length > smallMessage ? ".\r\n" : Buffer.concat([content, Buffer.from(".\r\n")]));
  const reply = await channel.read(timeouts.dot, "the final dot");
  state.isDotAnswered = true;
  if (!isSuccess(reply)) return refusal(reply);
  return { outcome: "accepted", reply: reply.text, code: reply.code };
}

function isSuccess({ code }: SmtpReply): boolean {
  return code >= 200 && code < 300;
}

/** Throws where there is no use in reading on: the server is closing (421), or its replies fit other commands. */
function assertInStep(reply: SmtpReply): void {
  if (reply.code === 421) throw new SmtpFault("the server is closing the connection", { reply });
  if (reply.code >= 300 && reply.code < 400)
    throw new SmtpFault("the server's replies are out of step", { reply });
}

function refusal(reply: SmtpReply): Ending {
  const isFinal = reply.code >= 500 && !settingFaults.has(reply.code);
  return { outcome: isFinal ? "refused" : "deferred", reply: reply.text, code: reply.code };
}

function recipientResult(address: string, reply: SmtpReply): RecipientResult {
  if (isSuccess(reply)) return { address, outcome: "accepted", reply: reply.text, code: reply.code };
  const result = { address, ...refusal(reply) };
  return result.outcome === "refused" ? { ...result, atRecipient: true } : result;
}
