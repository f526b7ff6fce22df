import type { WriteContext } from "../calls/use-case.ts";
import { readUnsubscribeToken, type Unsubscription } from "../suppressions/unsubscribe-link.ts";
import { unsubscribe } from "../suppressions/unsubscriptions/unsubscribe.ts";
import { decodeWords } from "./rules/reports/decode-words.ts";
import { fieldOf, readMessage } from "./rules/reports/read-message.ts";

/**
 * Unsubscribes the recipient of an e-mail from its list, as requested by a mail to the address in its
 * `List-Unsubscribe`, whose token is `token` (platform.md P10). If the e-mail was removed, the mail's subject still
 * identifies the list. Returns whether there was a list to leave.
 */
export async function applyUnsubscription(
  context: WriteContext,
  { token, message }: { token: string; message: string },
): Promise<boolean> {
  const known = readSubject(context, message) ?? (await findSubscription(context, token));
  if (known === undefined || (await context.storage.workspaces.find(known.workspaceId)) === undefined)
    return false;
  await unsubscribe(context, known);
  return true;
}

const sealed = /v1\.[\w-]+/;

function readSubject({ runtime }: WriteContext, message: string): Unsubscription | undefined {
  // A long subject may be folded at any place, or encoded.
  const subject = decodeWords(fieldOf(readMessage(message), "subject")).replace(/\s+/g, "");
  const [token] = sealed.exec(subject) ?? [];
  return token === undefined ? undefined : readUnsubscribeToken(runtime, token);
}

async function findSubscription(
  { storage, runtime }: WriteContext,
  token: string,
): Promise<Unsubscription | undefined> {
  const subject = runtime.reportTokens.read(token);
  if (subject === undefined) return undefined;
  const [found, list] = [
    await storage.reports.findEmail({ row: subject.row }),
    await storage.reports.findList(subject.row),
  ];
  const [recipient] = found?.recipients ?? [];
  const { workspaceId, id: emailId } = found?.email ?? {};
  if (list === undefined || recipient === undefined || workspaceId === undefined || emailId === undefined)
    return undefined;
  return { workspaceId, list, address: recipient.address, emailId };
}
