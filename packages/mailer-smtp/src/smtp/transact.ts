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

/** Why a transaction ended without a verdict on the mail. */
export interface TransactionFault {
  /** `silent`: the commands pipelined after MAIL FROM went unanswered, though MAIL FROM was answered. */
  verdict: Extract<Verdict, "closing" | "limited" | "settings" | "unclear"> | "silent";
  /** Whether the content was being sent, which may have caused the fault. */
  isContent: boolean;
  /** Whether the server timed out: an immediate retry would take as long. */
  isSlow: boolean;
  /** Whether it was silent for longer than the message's patience, before it got any of the content. */
  isTooSlow: boolean;
  /** The outcome of the open recipients if no retry does better. */
  ending: Ending;
}

/** One SMTP transaction on one connection. */
export interface Transaction {
  /** In the order of the recipients; `undefined` if another transaction may do better. */
  endings: (Ending | undefined)[];
  /** Whether the final dot was sent without a reply: the server may have accepted the message all the same. */
  inDoubt: boolean;
  /** Whether the connection can carry another message. */
  isReusable: boolean;
  /** Set if endings are open for a reason other than an overflow. */
  trouble?: TransactionFault;
}

/** How to run a transaction. */
export interface TransactionOptions {
  timeouts: SmtpTimeouts;
  /** Whether to pipeline commands if the server allows it (RFC 2920). */
  isPipelined: boolean;
  /** Ms allowed for the second reply to pipelined commands. */
  pipelinePatience: number;
  dsn?: DsnCondition[] | undefined;
  /** Whether the server is somebody's own account. If that may not send as the sender, its settings are at fault. */
  isAccount: boolean;
}

interface State {
  connection: SmtpConnection;
  delivery: Delivery;
  options: TransactionOptions;
  /** Indexes of the recipients that the server accepted. */
  taken: number[];
  endings: (Ending | undefined)[];
  /** Recipients beyond the transaction's limit, with their outcome if there is no further transaction. */
  overflow: [place: number, ending: Ending][];
  /** Recipients that the server did not accept for reasons of its own. */
  troubled: number[];
  stage: "envelope" | "pipeline" | "content" | "dot" | "done";
  /** The current step. */
  step: HandoverStepName;
  trouble?: TransactionFault;
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
    // The conversation was interrupted by something other than a fault of the server: the final dot must not follow.
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

/** Applies a fault to the recipients that are still open. */
function give(state: State, fault: SmtpFault): void {
  const { stage, connection, delivery, endings } = state;
  const ending: Ending = { outcome: "deferred", reply: fault.message };
  // A server that disconnects during the content has often sent the reason first.
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
  // Replies to the other pipelined commands still arrive: only a refusal of the mail itself makes them worth reading.
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
    // Some servers expect a message although they accepted no recipient (RFC 2920 section 3.1): the connection is closed instead.
    if (dataReply.code === 354) channel.destroy();
    settleOverflow(state);
    return;
  }
  state.stage = "content";
  // If others are accepted, recipients that wait for another server need not delay them.
  if (state.trouble !== undefined) settleTroubled(state);
  if (dataReply.code === 354) await sendContent(state);
  else conclude(state, judgeData(dataReply), dataReply);
}

/** Records the outcome of one recipient. */
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

/** If no recipient was accepted, the limit was not the reason. */
function settleOverflow({ overflow, endings }: State): void {
  for (const [index, ending] of overflow) endings[index] = ending;
}

/** Trouble with only some recipients defers only these. */
function settleTroubled(state: State): void {
  const { trouble, troubled, endings } = state;
  if (trouble === undefined) return;
  for (const index of troubled) endings[index] = trouble.ending;
  delete state.trouble;
}

/** Settles the open recipients by a verdict on the mail, or records the trouble. */
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
  // Waits until the system has accepted everything, so that a lost connection is known to precede the dot.
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
