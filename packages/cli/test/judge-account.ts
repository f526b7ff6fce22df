import { expect } from "vitest";
import { type Account, concurrency } from "./send-through-ends.ts";

/** Compares the records of the clients, the mail server and the database (reliability.md, Counting). */
export async function expectNothingLostOrMadeUp(
  { accepted, refused, mails, storage, workspaceId }: Account,
  messages: number,
): Promise<void> {
  const ids = [...accepted.values()];
  const copies = Map.groupBy(mails, ({ emailId }) => emailId);
  const known = new Set(ids);
  const statuses = await Promise.all(
    ids.map(async (id) => (await storage.emails.find(workspaceId, id, Date.now()))?.status),
  );
  expect(known.size).toBe(messages);
  expect({
    refused,
    lost: ids.filter((id) => !copies.has(id)),
    ghosts: [...copies.keys()].filter((id) => !known.has(id)),
    // A repeated mail is the same in every byte.
    split: [...copies.values()].filter((all) => new Set(all.map(({ source }) => source)).size > 1),
    unsent: statuses.filter((status) => status !== "sent"),
  }).toEqual({ refused: [], lost: [], ghosts: [], split: [], unsent: [] });
}

/**
 * Counts the mails repeated because of each end: every copy except the last is from the round in which its server
 * ended.
 */
export function countDuplicates(mails: Account["mails"]): Map<number, number> {
  const perRound = new Map<number, number>();
  const seen = new Map<string, number>();
  for (const { emailId, round } of mails) {
    const before = seen.get(emailId);
    if (before !== undefined) perRound.set(before, (perRound.get(before) ?? 0) + 1);
    seen.set(emailId, round);
  }
  return perRound;
}

/**
 * Checks that each kill doubled at least one mail and at most those in progress, and that every duplicate is explained.
 * Returns their number.
 */
export async function expectDuplicatesExplained(account: Account, kills: number): Promise<number> {
  const perKill = countDuplicates(account.mails);
  // Each kill happens while a mail is not acknowledged, so at least that one is repeated.
  expect([...perKill.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: kills }, (_, at) => at));
  expect(Math.max(...perKill.values())).toBeLessThanOrEqual(concurrency);
  const unexplained: string[] = [];
  for (const [id, all] of Map.groupBy(account.mails, ({ emailId }) => emailId)) {
    if (all.length === 1) continue;
    const attempts = await account.storage.emails.attempts(id);
    const explained = attempts.filter(({ outcome, inDoubt }) => outcome === "interrupted" || inDoubt).length;
    if (explained < all.length - 1) unexplained.push(id);
  }
  expect(unexplained).toEqual([]);
  return [...perKill.values()].reduce((sum, count) => sum + count, 0);
}
