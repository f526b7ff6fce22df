import { endLine } from "../../compose/message-source.ts";
import type { SmtpConnection } from "../connection/open-connection.ts";
import { earlyFault, unaskedFault } from "../connection/reply-channel.ts";
import type { SmtpReply } from "../connection/reply-reader.ts";
import { SmtpFault } from "../connection/smtp-fault.ts";
import type { Delivery, Ending } from "./delivery.ts";
import { endingOf } from "./ending-of.ts";
import { envelopeCommands } from "./envelope-commands.ts";
import { isForNow } from "./is-for-now.ts";
import {
  judgeContent,
  judgeData,
  judgeRecipient,
  judgeSender,
  namesRecipientCount,
  refusesParameters,
  type Verdict,
} from "./judge-reply.ts";
import { piecesOf, smallContent } from "./message-pieces.ts";
import { refusalOf } from "./refusal-of.ts";
import { settleEnd, settleOpen, settleOverflow, settleTroubled } from "./settle-recipients.ts";
import type { Transaction, TransactionOptions } from "./transaction.ts";
import type { TransactionState as State } from "./transaction-state.ts";
import { troubleOf } from "./trouble-of.ts";

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
    isSenderTaken: false,
    isFollowed: false,
    isInDoubt: false,
    step: "mail_from",
    place: undefined,
  };
  channel.endWithin(options.remaining, options.timeouts.conversation);
  try {
    await converse(state);
  } catch (error) {
    // The conversation was interrupted by something other than a fault of the server: the final dot must not follow.
    channel.destroy();
    if (!(error instanceof SmtpFault)) throw error;
    delivery.log.broke(state.step, error);
    give(state, error);
  }
  settleEnd(state);
  return {
    endings: delivery.to.map((_, index) => state.endings[index]),
    inDoubt: state.isInDoubt || state.stage === "dot",
    // Replies to the envelope that followed may be here already.
    isReusable: !state.isInDoubt && (state.isFollowed ? !channel.isBroken() : channel.isQuiet()),
    isSenderTaken: state.isSenderTaken,
    isFollowed: state.isFollowed,
    isLetGo: state.stage === "let_go",
    ...(state.trouble === undefined ? {} : { trouble: state.trouble }),
    ...(state.mostRecipients === undefined ? {} : { mostRecipients: state.mostRecipients }),
    ...(state.endedAt === undefined ? {} : { endedAt: state.endedAt }),
  };
}

/** Applies a fault to the recipients that are still open. */
function give(state: State, fault: SmtpFault): void {
  const { stage, connection, delivery } = state;
  const ending: Ending = { outcome: "deferred", reply: fault.message };
  // A server that disconnects during the content has often sent the reason first.
  const last = stage === "content" ? (fault.reply ?? connection.channel.takeEarly()) : undefined;
  const isSilent = fault.kind === "silent";
  // With fewer replies than commands, each may have been meant for another command: none of them refuses a recipient.
  const isPipeline = stage === "pipeline";
  const isDoubtful = isPipeline && !isSilent && hasDoubtfulRefusal(state);
  if (isPipeline && (isSilent || isDoubtful)) state.endings = [];
  const isSettled = delivery.to.every((_, index) => state.endings[index] !== undefined);
  if (stage === "dot") settleOpen(state, ending);
  else if (last !== undefined && last.code >= 400)
    conclude(state, judgeContent(last, state.options.isAccount), last);
  else if (!isSettled) {
    const isSlow = isSilent || fault.kind === "overdue";
    const isAstray = isSilent && stage === "envelope" && state.options.isAhead;
    if (fault.kind !== "overdue" && !isDoubtful) noteEnd(state);
    state.trouble ??= {
      verdict: isDoubtful ? "doubtful" : isAstray ? "astray" : isSilent && isPipeline ? "silent" : "closing",
      isContent: stage === "content",
      isSlow,
      isTooSlow: isSlow && stage !== "content" && delivery.patience !== undefined,
      ending,
    };
  }
}

/** What refuses DATA where no recipient was taken. */
const dataRefusals = new Set([503, 554]);

/** Whether a refusal of one recipient may be of another: if one has no reply, or the last has what DATA's may be. */
function hasDoubtfulRefusal({ place, endings, delivery }: State): boolean {
  if (place === undefined) return dataRefusals.has(endings[delivery.to.length - 1]?.code ?? 0);
  return endings.some((ending) => ending?.outcome === "refused");
}

async function converse(state: State): Promise<void> {
  const { connection, delivery, options } = state;
  const { channel } = connection;
  const { isPipelined, isAhead } = options;
  const command = Math.min(options.timeouts.command, delivery.patience ?? Number.POSITIVE_INFINITY);
  const ending = refusalOf(delivery, connection);
  if (ending !== undefined) return settleOpen(state, ending);
  const { mail, recipients } = isAhead
    ? noCommands
    : envelopeCommands(delivery, connection.extensions, options.dsn);

  if (!isAhead) channel.write(isPipelined ? `${mail}${recipients.join("")}DATA\r\n` : mail);
  const mailReply = await channel.read(isAhead ? Math.min(options.aheadPatience, command) : command, "MAIL");
  delivery.log.ended("mail_from", mailReply);
  const verdict = hearSender(state, mailReply);
  // Replies to the other pipelined commands still arrive: they are worth reading only if the connection can go on.
  const goesOn = state.trouble === undefined || isForNow(state.trouble);
  if (verdict !== "taken" && (!isPipelined || !goesOn)) return;

  if (isPipelined && verdict === "taken") state.stage = "pipeline";
  const patience = isPipelined ? Math.min(options.pipelinePatience, command) : command;
  for (const index of delivery.to.keys()) {
    if (!isPipelined) channel.write(recipients[index] ?? "");
    state.step = "rcpt_to";
    state.place = index;
    const reply = await channel.read(patience, "RCPT");
    delivery.log.ended("rcpt_to", reply, delivery.to[index]);
    // DATA's reply came in place of a recipient's: those before may have been meant for others too.
    if (isPipelined && reply.code === 354) {
      state.endings = [];
      state.trouble = troubleOf("silent", reply);
      return;
    }
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
  state.place = undefined;
  const dataReply = await readDataReply(state, patience);
  if (!hasRecipient) {
    // Some servers expect a message although they accepted no recipient (RFC 2920 section 3.1): the connection is closed instead.
    if (dataReply.code === 354) channel.destroy();
    settleOverflow(state);
    return;
  }
  state.stage = "data";
  // If others are accepted, recipients that wait for another server need not delay them.
  if (state.trouble !== undefined) settleTroubled(state);
  if (dataReply.code === 354) await sendContent(state);
  else conclude(state, judgeData(dataReply, options.isAccount), dataReply);
}

/** Reads the last reply to an envelope. Throws if it shows that the replies before were not the commands' one by one. */
async function readDataReply(state: State, patience: number): Promise<SmtpReply> {
  const { channel } = state.connection;
  state.step = "data";
  const reply = await channel.read(patience, "DATA");
  state.delivery.log.ended("data", reply);
  if (reply.code === 354) return reply;
  // No other command is left to answer, and nothing but 354 means "go on".
  const unasked = reply.code < 400 ? reply : channel.unasked();
  if (unasked === undefined) return reply;
  // Any of the replies may have been meant for the command before, so none of them refuses a recipient.
  state.endings = [];
  throw unaskedFault(unasked);
}

const noCommands = { mail: "", recipients: [] };

/** Whether a refusal beside an envelope sent ahead may be meant for something else. */
const isDoubtful = ({ code }: SmtpReply, { isAheadProven }: TransactionOptions): boolean =>
  code >= 500 || !isAheadProven;

/** Whether a reply refuses the request for reports, so that the mail may pass without. */
const refusesReports = ({ connection, options }: State, reply: SmtpReply): boolean =>
  options.dsn.length > 0 && connection.extensions.has("DSN") && refusesParameters(reply);

/** Judges the reply to MAIL FROM, and records what it means for the mail. */
function hearSender(state: State, reply: SmtpReply): Verdict {
  const { connection, options } = state;
  const { lacksLogin } = connection;
  const verdict = judgeSender(reply, { lacksLogin, isAccount: options.isAccount });
  state.isSenderTaken = verdict === "taken";
  if (verdict === "taken") return verdict;
  if (verdict !== "closing" && options.isAhead && isDoubtful(reply, options))
    state.trouble = troubleOf("astray", reply);
  else if (refusesReports(state, reply)) state.trouble = troubleOf("reports", reply);
  else conclude(state, verdict, reply);
  return verdict;
}

/** Notes at which recipient the server ended the connection, or fell silent. */
function noteEnd(state: State): void {
  const { place, taken } = state;
  if (place !== undefined) state.endedAt ??= { place, isAfterOthers: taken.length > 0 };
}

/** Records the outcome of one recipient. */
function hear(state: State, index: number, reply: SmtpReply): void {
  const verdict = refusesReports(state, reply)
    ? "reports"
    : judgeRecipient(reply, {
        lacksLogin: state.connection.lacksLogin,
        isAccount: state.options.isAccount,
      });
  if (verdict === "taken") state.taken.push(index);
  else if (verdict === "refused") state.endings[index] = { ...endingOf("refused", reply), atRecipient: true };
  else if (verdict === "deferred") state.endings[index] = endingOf("deferred", reply);
  else if (verdict === "overflow") state.overflow.push([index, endingOf("deferred", reply)]);
  else {
    state.troubled.push(index);
    state.trouble ??= troubleOf(verdict, reply);
    if (verdict === "closing") noteEnd(state);
  }
}

/** Settles the open recipients by a verdict on the mail, or records the trouble. */
function conclude(state: State, verdict: Verdict, reply: SmtpReply): void {
  if (verdict === "taken") {
    for (const index of state.taken)
      state.endings[index] = { outcome: "accepted", reply: reply.text, code: reply.code };
    return;
  }
  const { length } = state.delivery.to;
  if (state.stage !== "envelope" && length > 1 && namesRecipientCount(reply)) {
    // Exim (recipients_max_reject) takes some, and refuses DATA for these as well; others accept all, and refuse the content.
    const { length: taken } = state.taken;
    state.mostRecipients = taken < length ? taken : Math.floor(length / 2);
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

async function sendContent(state: State): Promise<void> {
  const { connection, delivery, options } = state;
  const { channel } = connection;
  const small = smallContent(delivery.source);
  state.stage = "content";
  state.step = "content";
  // Waits until the system has accepted everything, so that a lost connection is known to precede the dot.
  if (small === undefined) {
    for await (const piece of piecesOf(delivery.source)) await channel.flush(piece, options.timeouts.command);
    delivery.log.ended("content");
  }
  const early = channel.takeEarly();
  if (early !== undefined) throw earlyFault(early);
  if (!channel.isQuiet())
    throw new SmtpFault("network", "the server closed the connection before the final dot");
  if (delivery.isStillOurs?.() === false) {
    state.stage = "let_go";
    channel.destroy();
    return;
  }
  state.stage = "dot";
  state.step = "end_of_data";
  // After trouble the connection is closed.
  const next = state.trouble === undefined ? options.follow() : undefined;
  state.isFollowed = next !== undefined;
  channel.write(small ?? endLine, next);
  // From here on an end would leave the message in doubt, so that only the time-out of the reply counts.
  channel.endWithin(Number.POSITIVE_INFINITY, 0);
  const reply = await channel.read(options.timeouts.dot, "the final dot");
  state.stage = "done";
  delivery.log.ended("end_of_data", reply);
  // An intermediate reply was meant for an earlier command: what the server makes of the content is unknown.
  state.isInDoubt = reply.code >= 300 && reply.code < 400;
  if (state.isFollowed && !options.isAheadProven && reply.code >= 400)
    state.trouble = troubleOf("astray", reply, true);
  else conclude(state, state.isInDoubt ? "deferred" : judgeContent(reply, options.isAccount), reply);
}
