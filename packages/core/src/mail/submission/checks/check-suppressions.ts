import type { ReadContext } from "../../../calls/use-case.ts";
import type { Suppression } from "../../../ports/storage.ts";
import { findSuppressed } from "../../../suppressions/find-suppressed.ts";
import type { Check, EmailDraft } from "../email-draft.ts";
import type { SendFields } from "../send-fields.ts";
import { allSuppressed } from "./all-suppressed.ts";

/**
 * Begins the lookup of suppressions while other data for the send is read, because with a remote storage each wait
 * counts.
 */
export function askSuppressed(
  { acceptance, workspace, now }: Pick<ReadContext<"api_key">, "acceptance" | "workspace" | "now">,
  { to, cc, bcc, unsubscribe }: Pick<SendFields, "to" | "cc" | "bcc" | "unsubscribe">,
): NonNullable<EmailDraft["suppressed"]> {
  const question = { workspaceId: workspace.id, list: unsubscribe?.list, now };
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => address);
  const asked: Promise<ReadonlyMap<string, Suppression>> = findSuppressed(
    acceptance.lookups,
    question,
    addresses,
  );
  // The check awaits the result; a draft refused before that needs none.
  asked.catch(() => {});
  return asked;
}

/** Leaves out suppressed recipients; adds a reason if none is left (platform.md P8). */
export const checkSuppressions: Check = async (draft, { acceptance, now }) => {
  const question = { workspaceId: draft.workspace.workspaceId, list: draft.fields.unsubscribe?.list, now };
  const addresses = draft.recipients.map(({ address }) => address);
  const suppressed = await (draft.suppressed ?? findSuppressed(acceptance.lookups, question, addresses));
  if (suppressed.size === 0) return;
  draft.recipients = draft.recipients.map((one) => {
    const entry = suppressed.get(one.address);
    return entry === undefined ? one : { ...one, suppressedBy: entry.origin };
  });
  if (suppressed.size < addresses.length) return;
  draft.reasons.push(allSuppressed(suppressed));
};
