import type { WriteContext } from "../calls/use-case.ts";
import { readUnsubscribeToken, type Unsubscription } from "../suppressions/unsubscribe-link.ts";
import { unsubscribe } from "../suppressions/unsubscriptions/unsubscribe.ts";
import { fieldOf, readMessage } from "./rules/read-message.ts";

/**
 * Takes the recipient of an e-mail off its list, as a mail asks for that came to the address which its `List-Unsubscribe` named (platform.md
 * P10). `token`: of that address. Where the e-mail is forgotten, the mail's subject still says what it was about. Whether there was
 * anything to take off.
 */
export async function takeUnsubscription(
  context: WriteContext,
  { token, message }: { token: string; message: string },
): Promise<boolean> {
  const known = readSubject(context, message) ?? (await findSubscription(context, token));
  if (known === undefined || (await context.storage.workspaces.find(known.workspaceId)) === undefined)
    return false;
  await unsubscribe(context, known);
  return true;
}

const sealed = /\bv1\.[\w-]+/;

function readSubject({ runtime }: WriteContext, message: string): Unsubscription | undefined {
  // A long subject comes folded, and at any place.
  const subject = fieldOf(readMessage(message), "subject").replace(/\s+/g, "");
  const [token] = sealed.exec(subject.replace(/^unsubscribe/i, "")) ?? [];
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
