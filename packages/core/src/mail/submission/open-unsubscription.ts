import type { EmailPayload } from "../../ports/storage.ts";
import type { Facilities } from "../../service/runtime.ts";
import { createUnsubscribeLink } from "../../suppressions/unsubscribe-link.ts";
import { unsubscribeUrl } from "../rules/unsubscribe-url.ts";
import type { SendFields } from "./send-fields.ts";

/**
 * Makes the unsubscribe link for the only recipient of an e-mail about to be accepted; `undefined` if it belongs to no
 * list.
 */
export function openUnsubscription(
  runtime: Facilities,
  { to, unsubscribe }: Pick<SendFields, "to" | "unsubscribe">,
  { workspaceId, emailId }: { workspaceId: number; emailId: string },
): EmailPayload["unsubscribe"] {
  const [recipient] = to;
  if (unsubscribe === undefined || recipient === undefined) return undefined;
  const { list } = unsubscribe;
  return {
    list,
    url: createUnsubscribeLink(runtime, { workspaceId, list, address: recipient.address, emailId }),
  };
}

/** Returns template data with the link, as when the e-mail is sent. */
export const withLink = (
  data: Record<string, unknown>,
  unsubscribe: EmailPayload["unsubscribe"],
): Record<string, unknown> =>
  unsubscribe === undefined ? data : { ...data, [unsubscribeUrl]: unsubscribe.url };
