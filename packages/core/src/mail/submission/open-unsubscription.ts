import type { EmailPayload } from "../../ports/storage/emails.ts";
import type { Facilities } from "../../service/runtime.ts";
import { createUnsubscribeLink } from "../../suppressions/unsubscribe-link.ts";
import { unsubscribeUrl } from "../rules/unsubscribe-url.ts";
import type { SendFields } from "./send-fields.ts";

/** The link of an e-mail that is about to be accepted, for its one recipient; `undefined` where it belongs to no list. */
export function openUnsubscription(
  runtime: Facilities,
  {
    to,
    unsubscribe,
    workspaceId,
    emailId,
  }: Pick<SendFields, "to" | "unsubscribe"> & { workspaceId: number; emailId: string },
): EmailPayload["unsubscribe"] {
  const [recipient] = to;
  if (unsubscribe === undefined || recipient === undefined) return undefined;
  const { list } = unsubscribe;
  return {
    list,
    url: createUnsubscribeLink(runtime, { workspaceId, list, address: recipient.address, emailId }),
  };
}

/** Template data with the link, as it is when the e-mail is sent. */
export const withLink = (
  data: Record<string, unknown>,
  unsubscribe: EmailPayload["unsubscribe"],
): Record<string, unknown> =>
  unsubscribe === undefined ? data : { ...data, [unsubscribeUrl]: unsubscribe.url };
