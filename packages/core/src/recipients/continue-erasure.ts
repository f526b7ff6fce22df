import { changeAndNotify } from "../calls/change-and-notify.ts";
import type { Outbox } from "../calls/change-piece.ts";
import { createEvent } from "../calls/outbox.ts";
import { addEmailEvents, serviceOrigin } from "../mail/email-events.ts";
import { sentEvent } from "../mail/emails/cancelled-events.ts";
import type { EmailEvent } from "../mail/notifications.ts";
import {
  type EmailToPerson,
  type Erasure,
  type Repositories,
  type SearchedLog,
  searchedLogs,
} from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { storeErasureKey } from "../suppressions/erasure-key.ts";
import { hashedKey } from "../suppressions/rules/hashed-key.ts";

/** Number of e-mails that one transaction handles. */
const piece = 20;
/** Number of contents that one transaction checks. */
const unusedAtOnce = 100;
/** Ms for which a step goes on searching a log. */
const searchMs = 25;
const stages = ["emails", ...searchedLogs, "contents"] as const;

/**
 * Executes the next step of an erasure in a transaction that also stores its progress, so that a killed process loses
 * only that step. Returns the new state; `"later"` if the remaining e-mails are claimed by workers; `undefined` when
 * the erasure is complete.
 */
export const continueErasure = (
  runtime: Runtime,
  erasure: Erasure,
  dueAt: number,
): Promise<Erasure | "later" | undefined> =>
  changeAndNotify(runtime, async (storage, outbox) => {
    const after =
      erasure.stage === "emails"
        ? await eraseEmails(runtime, storage, outbox, erasure)
        : erasure.stage === "contents"
          ? await removeContents(storage, erasure)
          : await eraseLog(storage, { ...erasure, stage: erasure.stage });
    if (after === "later") return after;
    if (after === undefined) return await end(runtime, storage, outbox, erasure);
    await storage.erasures.note(after, dueAt);
    return after;
  });

const nextStage = (erasure: Erasure): Erasure | undefined => {
  const stage = stages[stages.indexOf(erasure.stage) + 1];
  return stage === undefined ? undefined : { ...erasure, stage, cursor: "" };
};

/** Replaces the address in the next e-mails. Those replaced before are no longer found, those that workers claimed are skipped. */
async function eraseEmails(
  runtime: Runtime,
  storage: Repositories,
  outbox: Outbox,
  erasure: Erasure,
): Promise<Erasure | "later" | undefined> {
  const { recipients } = storage;
  // Campaigns come first, so that none makes another e-mail meanwhile; in a step of their own, as their feeders wait for
  // its end.
  const campaigns = await recipients.eraseFromCampaigns(erasure);
  if (campaigns > 0) return { ...erasure, campaigns: erasure.campaigns + campaigns };
  const found = await recipients.emailsTo(erasure, Number(erasure.cursor || 0), piece);
  const free: EmailToPerson[] = [];
  const ended: { email: EmailToPerson; outcome: "cancelled" | "partially_sent" }[] = [];
  for (const email of found) {
    // Where it was found may have changed: a worker may just have claimed it, or somebody retried it.
    const outcome = await recipients.withdraw(email, runtime.queueClock.now());
    if (outcome === "in_hand") continue;
    free.push(email);
    if (outcome === "cancelled" || outcome === "partially_sent") ended.push({ email, outcome });
  }
  await recipients.eraseEmails(erasure, free);
  const emailEvents: EmailEvent[] = [];
  for (const { email, outcome } of ended)
    emailEvents.push(...(await emailEventOf(runtime, storage, email.id, outcome)));
  await addEmailEvents(runtime, storage, outbox, emailEvents, serviceOrigin);
  const done = { ...erasure, emails: erasure.emails + free.length };
  // Skips e-mails that workers have claimed, and starts over as long as there are any.
  if (found.length === piece) return { ...done, cursor: String(found.at(-1)?.row) };
  const left = await recipients.emailsTo(erasure, 0, 1);
  if (left.length === 0) return nextStage(done);
  return free.length > 0 ? { ...done, cursor: "" } : "later";
}

/**
 * Returns the event of an e-mail that ended because its recipient was erased. It no longer contains the recipient's
 * data.
 */
async function emailEventOf(
  { queueClock }: Pick<Runtime, "queueClock">,
  { emails }: Repositories,
  id: string,
  outcome: "cancelled" | "partially_sent",
): Promise<EmailEvent[]> {
  const now = queueClock.now();
  const email = await emails.find("all", id, now);
  if (email === undefined) return [];
  if (outcome === "cancelled") return [{ type: "email.cancelled", email, at: now }];
  return [await sentEvent({ emails }, email, now)];
}

async function eraseLog(
  storage: Repositories,
  erasure: Erasure & { stage: SearchedLog },
): Promise<Erasure | undefined> {
  const begun = performance.now();
  const search = (after: string) => storage.recipients.eraseFrom(erasure.stage, erasure, after);
  let { changed, next } = await search(erasure.cursor);
  // Most pieces change nothing: a transaction for each, and the pause after it, would cost more than the search.
  while (next !== undefined && changed === 0 && performance.now() - begun < searchMs)
    ({ changed, next } = await search(next));
  const done = { ...erasure, events: erasure.events + (erasure.stage === "events" ? changed : 0) };
  return next === undefined ? nextStage(done) : { ...done, cursor: next };
}

/** Removes the unused contents of the erased e-mails, before the erasure is said to be complete. */
async function removeContents(storage: Repositories, erasure: Erasure): Promise<Erasure | undefined> {
  const removed = await storage.contents.deleteUnused(unusedAtOnce);
  return removed === unusedAtOnce ? erasure : nextStage(erasure);
}

/** Emits the final event without the address, and hashes suppressions that came in the meantime. */
async function end(
  { queueClock }: Pick<Runtime, "queueClock">,
  storage: Repositories,
  outbox: Outbox,
  erasure: Erasure,
): Promise<undefined> {
  const { workspaceId, addressKey, erasedAs, emails, campaigns } = erasure;
  const key = hashedKey(await storeErasureKey(storage), workspaceId, addressKey);
  await storage.recipients.hashSuppressions(erasure, key);
  if (!(await storage.erasures.end(erasure.id))) return;
  const metadata = { erased_as: erasedAs, emails, campaigns };
  outbox.events.push(
    createEvent("recipient.erased", { metadata }, { ...serviceOrigin, workspaceId, now: queueClock.now() }),
  );
}
