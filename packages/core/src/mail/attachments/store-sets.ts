import type { Repositories } from "../../ports/storage.ts";
import type { SubmittedEmail } from "../acceptance/submission.ts";

/**
 * Stores the lists of files of accepted e-mails, equal ones once, and updates the last use of uploads; returns the
 * lists' ids by digest. All transactions use the same order, which prevents deadlocks.
 */
export async function storeSets(
  storage: Repositories,
  emails: readonly Pick<SubmittedEmail, "files" | "createdAt">[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const sets = new Map(
    emails.flatMap(({ files }) => (files === undefined ? [] : [[files.set.digest, files.set]])),
  );
  if (sets.size === 0) return ids;
  for (const set of [...sets.values()].sort((a, b) => (a.digest < b.digest ? -1 : 1)))
    ids.set(set.digest, await storage.attachments.putSet(set));
  const used = emails.flatMap(({ files, createdAt }) =>
    files === undefined || files.used.ids.length === 0 ? [] : [{ ...files.used, createdAt }],
  );
  const last = used.at(-1);
  if (last !== undefined) {
    const handles = [...new Set(used.flatMap(({ ids: each }) => each))].sort();
    await storage.attachments.useHandles(handles, last.createdAt, last.expiresAt);
  }
  return ids;
}
