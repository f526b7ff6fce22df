import type { ReadContext } from "../../calls/use-case.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import { createUnsubscribeLink } from "../../suppressions/unsubscribe-link.ts";

/** By what an e-mail's recipient may unsubscribe. */
export interface EmailUnsubscription {
  /** The e-mail's id, as the link holds it. */
  emailId: string;
  list: string;
  url: string;
}

/** The link of an e-mail that is about to be accepted, for its one recipient; `undefined` where it belongs to no list. */
export function openUnsubscription(
  { runtime }: Pick<ReadContext, "runtime">,
  workspaceId: number,
  { to, unsubscribe }: { to: readonly Mailbox[]; unsubscribe?: { list: string } | undefined },
): EmailUnsubscription | undefined {
  const [recipient] = to;
  if (unsubscribe === undefined || recipient === undefined) return undefined;
  const { list } = unsubscribe;
  const emailId = runtime.newId();
  const url = createUnsubscribeLink(runtime, { workspaceId, list, address: recipient.address, emailId });
  return { emailId, list, url };
}
