import type { HandoverStepName } from "@posthorn/core";
import { endLine } from "../compose/message-source.ts";
import type { Delivery, Ending } from "./delivery.ts";
import { envelopeCommands } from "./envelope-commands.ts";
import { judgeContent, judgeData, judgeRecipient, judgeSender, type Verdict } from "./judge-reply.ts";
import { piecesOf, smallContent } from "./message-pieces.ts";
import type { SmtpConnection } from "./open-connection.ts";
import { refusalOf } from "./refusal-of.ts";
import type { SmtpReply } from "./reply-reader.ts";
import type { DsnCondition, SmtpTimeouts } from "./server-settings.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** Why a transaction came to no end that tells of the mail. */
export interface Trouble {
  /** `silent`: nothing answered what was sent together with MAIL FROM, though MAIL FROM itself was answered. */
  verdict: Extract<Verdict, "closing" | "limited" | "settings" | "unclear"> | "silent";
  /** Whether the content was under way, which the server may have stumbled over. */
  isContent: boolean;
  /** Whether the server let the time run out: trying again at once would take as long. */
  isSlow: boolean;
  /** Whether it was silent for longer than the message has patience, before it got any of the content. */
  isTooSlow: boolean;
  /** What the open recipients are told where nothing better comes of the mail. */
  ending: Ending;
}

/** One SMTP transaction on one connection. */
export interface Transaction {
  /** By the order of the recipients; `undefined` where a further transaction may do better. */
  endings: (Ending | undefined)[];
  /** Whether the final dot was sent without an answer: the server may have taken the message all the same. */
  inDoubt: boolean;
  /** Whether the connection is fit for another message. */
  isReusable: boolean;
  /** Set where endings are left open by more than an overflow. */
  trouble?: Trouble;
}

/** How a transaction goes. */
export interface TransactionOptions {
  timeouts: SmtpTimeouts;
  /** Whether commands are sent together where the server allows it (RFC 2920). */
  isPipelined: boolean;
  /** Ms that the second reply to commands sent together may take. */
  pipelinePatience: number;
  dsn?: DsnCondition[] | undefined;
  /** Whether the server is somebody's own account, whose settings are at fault where it may not send as the sender. */
  isAccount: boolean;
}

interface State {
  connection: SmtpConnection;
  delivery: Delivery;
  options: TransactionOptions;
  /** Those that the server took, by their places. */
  taken: number[];
  endings: (Ending | undefined)[];
  /** Those who were too many for this transaction, and what they are told where there is no further one. */
  overflow: [place: number, ending: Ending][];
  /** Those whom the server did not take for a reason of its own. */
  troubled: number[];
  stage: "envelope" | "pipeline" | "content" | "dot" | "done";
  /** What is under way. */
  step: HandoverStepName;
  trouble?: Trouble;
}

/** Runs one transaction. Never rejects for the server's faults. */
export async function transact(
  connection: SmtpConnection,
  delivery: Delivery,
  options: TransactionOptions,
): Promise<Transaction> {
  const { channel } = connection;
  const state: State = {
    connection,
    delivery,
    options,
    taken: [],
    endings: [],
    overflow: [],
    troubled: [],
    stage: "envelope",
    step: "mail_from",
  };
  try {
    await converse(state);
  } catch (error) {
    // Whatever broke off the conversation: the final dot must not follow.
    channel.destroy();
    if (!(error instanceof SmtpFault)) throw error;
    delivery.log.broke(state.step, error);
    give(state, error);
  }
  return {
    endings: delivery.to.map((_, index) => state.endings[index]),
    inDoubt: state.stage === "dot",
    isReusable: channel.isQuiet(),
    ...(state.trouble === undefined ? {} : { trouble: state.trouble }),
  };
}

/** Tells what a fault means for those who are open yet. */
function give(state: State, fault: SmtpFault): void {
  const { stage, connection, delivery, endings } = state;
  const ending: Ending = { outcome: "deferred", reply: fault.message };
  // A server that hangs up in the middle of the content has often said why.
  const last = stage === "content" ? (fault.reply ?? connection.channel.takeEarly()) : undefined;
  const isSettled = delivery.to.every((_, index) => endings[index] !== undefined);
  if (stage === "dot") settleOpen(state, ending);
  else if (last !== undefined && last.code >= 400) conclude(state, judgeContent(last), last);
  else if (!isSettled) {
    state.trouble ??= {
      verdict: fault.kind === "silent" && stage === "pipeline" ? "silent" : "closing",
      isContent: stage === "content",
      isSlow: fault.kind === "silent",
      isTooSlow: fault.kind === "silent" && stage !== "content" && delivery.patience !== undefined,
      ending,
    };
  }
}

async function converse(state: State): Promise<void> {
  const { connection, delivery, options } = state;
  const { channel } = connection;
  const { isPipelined } = options;
  const { log } = delivery;
  const command = Math.min(options.timeouts.command, delivery.patience ?? Number.POSITIVE_INFINITY);
  const ending = refusalOf(delivery, connection);
  if (ending !== undefined) {
    settleOpen(state, ending);
    return;
  }
  const { mail, recipients } = envelopeCommands(delivery, connection.extensions, options.dsn);

  channel.write(isPipelined ? `${mail}${recipients.join("")}DATA\r\n` : mail);
  const mailReply = await channel.read(command, "MAIL");
  log.ended("mail_from", mailReply);
  const verdict = judgeSender(mailReply, { lacksLogin: connection.lacksLogin, isAccount: options.isAccount });
  // What else was sent is answered yet: only a mail's own refusal is worth reading on for.
  if (verdict !== "taken") conclude(state, verdict, mailReply);
  if (verdict !== "taken" && (!isPipelined || state.trouble !== undefined)) return;

  if (isPipelined && verdict === "taken") state.stage = "pipeline";
  const patience = isPipelined ? Math.min(options.pipelinePatience, command) : command;
  for (const [index, recipient] of recipients.entries()) {
    if (!isPipelined) channel.write(recipient);
    state.step = "rcpt_to";
    const reply = await channel.read(patience, "RCPT");
    log.ended("rcpt_to", reply, delivery.to[index]);
    if (verdict === "taken") hear(state, index, reply);
    if (state.trouble?.verdict === "closing") return;
  }
  const hasRecipient = state.taken.length > 0;
  if (!isPipelined) {
    if (!hasRecipient) {
      settleOverflow(state);
      return;
    }
    channel.write("DATA\r\n");
  }
  state.step = "data";
  const dataReply = await channel.read(patience, "DATA");
  log.ended("data", dataReply);
  if (!hasRecipient) {
    // Some servers wait for a message although they accepted nobody (RFC 2920 section 3.1): they get none.
    if (dataReply.code === 354) channel.destroy();
    settleOverflow(state);
    return;
  }
  state.stage = "content";
  // Those that wait for a better server while others are taken wait for themselves.
  if (state.trouble !== undefined) settleTroubled(state);
  if (dataReply.code === 354) await sendContent(state);
  else conclude(state, judgeData(dataReply), dataReply);
}

/** Notes what became of one recipient. */
function hear(state: State, index: number, reply: SmtpReply): void {
  const verdict = judgeRecipient(reply, state.connection.lacksLogin);
  if (verdict === "taken") state.taken.push(index);
  else if (verdict === "refused") state.endings[index] = { ...endingOf("refused", reply), atRecipient: true };
  else if (verdict === "deferred") state.endings[index] = endingOf("deferred", reply);
  else if (verdict === "overflow") state.overflow.push([index, endingOf("deferred", reply)]);
  else {
    state.troubled.push(index);
    const ending = endingOf("deferred", reply);
    state.trouble ??= { verdict, isContent: false, isSlow: false, isTooSlow: false, ending };
  }
}

/** Where nobody was taken, there were not too many. */
function settleOverflow({ overflow, endings }: State): void {
  for (const [index, ending] of overflow) endings[index] = ending;
}

/** Trouble that is not everybody's puts off those who have it. */
function settleTroubled(state: State): void {
  const { trouble, troubled, endings } = state;
  if (trouble === undefined) return;
  for (const index of troubled) endings[index] = trouble.ending;
  delete state.trouble;
}

/** Settles those who are open by a verdict on the mail, or notes the trouble. */
function conclude(state: State, verdict: Verdict, reply: SmtpReply): void {
  if (verdict === "taken") {
    for (const index of state.taken)
      state.endings[index] = { outcome: "accepted", reply: reply.text, code: reply.code };
    return;
  }
  if (verdict === "refused" || verdict === "deferred" || verdict === "overflow") {
    const ending = endingOf(verdict === "refused" ? "refused" : "deferred", reply);
    if (state.stage === "envelope") settleOpen(state, ending);
    else for (const index of state.taken) state.endings[index] = ending;
    return;
  }
  const isFinal = verdict === "unclear" && reply.code >= 500;
  state.trouble = {
    verdict,
    isContent: state.stage === "content" || state.stage === "done",
    isSlow: false,
    isTooSlow: false,
    ending: endingOf(isFinal ? "refused" : "deferred", reply),
  };
}

function settleOpen(state: State, ending: Ending): void {
  for (const index of state.delivery.to.keys()) state.endings[index] ??= ending;
}

async function sendContent(state: State): Promise<void> {
  const { connection, delivery, options } = state;
  const { channel } = connection;
  const small = smallContent(delivery.source);
  state.step = "content";
  // Waits until the system has taken all of it, so that a loss on the way is known to have come before the dot.
  if (small === undefined) {
    for await (const piece of piecesOf(delivery.source)) await channel.flush(piece, options.timeouts.command);
    delivery.log.ended("content");
  }
  const early = channel.takeEarly();
  if (early !== undefined)
    throw new SmtpFault("protocol", "the server answered before the end of the message", early);
  if (!channel.isQuiet()) throw new SmtpFault("network", "the server closed the connection");
  state.stage = "dot";
  state.step = "end_of_data";
  channel.write(small ?? endLine);
  const reply = await channel.read(options.timeouts.dot, "the final dot");
  state.stage = "done";
  delivery.log.ended("end_of_data", reply);
  conclude(state, judgeContent(reply), reply);
}

function endingOf(outcome: "deferred" | "refused", reply: SmtpReply): Ending {
  return { outcome, reply: reply.text, code: reply.code };
}
