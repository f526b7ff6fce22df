import type { Ending } from "./delivery.ts";
import type { TransactionState as State } from "./transaction-state.ts";

/** Gives the recipients that are still open this outcome. */
export function settleOpen(state: State, ending: Ending): void {
  for (const index of state.delivery.to.keys()) state.endings[index] ??= ending;
}

/** If no recipient was accepted, the limit of a transaction was not the reason; that of a connection may be. */
export function settleOverflow(state: State): void {
  const { overflow, endings, options } = state;
  const [first] = overflow;
  if (first !== undefined && options.isReused) {
    const [, ending] = first;
    state.trouble ??= { verdict: "unclear", isContent: false, isSlow: false, isTooSlow: false, ending };
    return;
  }
  for (const [index, ending] of overflow) endings[index] = ending;
}

/** Trouble with only some recipients defers only these; those refused for the request for reports have another transaction. */
export function settleTroubled(state: State): void {
  const { trouble, troubled, endings } = state;
  if (trouble === undefined || trouble.verdict === "reports") return;
  for (const index of troubled) endings[index] = trouble.ending;
  delete state.trouble;
}

/**
 * A server that took some recipients, and ended the connection after it refused others for their number, counts those
 * refusals as errors: Postfix does beyond `smtpd_recipient_overshoot_limit`. A transaction of as many as it took tells.
 */
export function settleEnd(state: State): void {
  const { trouble, overflow, taken, connection } = state;
  if (trouble?.verdict !== "closing" || trouble.isContent || trouble.isSlow) return;
  if (overflow.length === 0 || taken.length === 0) return;
  state.mostRecipients = taken.length;
  delete state.trouble;
  delete state.endedAt;
  connection.channel.destroy();
}
