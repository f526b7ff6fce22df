import { ServiceError } from "../../errors.ts";
import { findSuppressed } from "../../suppressions/find-suppressed.ts";
import type { Check } from "./email-draft.ts";

/** Who gets nothing: they are left out, and where nobody is left, that stands against the e-mail (platform.md P8). */
export const checkSuppressions: Check = async (draft, { sending, now }) => {
  const question = { workspaceId: draft.sending.workspaceId, list: draft.fields.unsubscribe?.list, now };
  const addresses = draft.recipients.map(({ address }) => address);
  const suppressed = await findSuppressed(sending.lookups, question, addresses);
  if (suppressed.size === 0) return;
  draft.recipients = draft.recipients.map((one) => {
    const entry = suppressed.get(one.address);
    return entry === undefined ? one : { ...one, suppressedBy: entry.origin };
  });
  if (suppressed.size < addresses.length) return;
  const recipients = [...suppressed].map(([address, { scope, origin, createdAt }]) => ({
    address,
    scope,
    origin,
    since: new Date(createdAt).toISOString(),
  }));
  draft.reasons.push(new ServiceError("all_recipients_suppressed", { details: { recipients } }));
};
