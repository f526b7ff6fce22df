import { expect, test } from "vitest";
import { type Account, concurrency, sendThroughEnds } from "./send-through-ends.ts";

/** Compares what the clients, the mail server and the database know (reliability.md, Counting). */
async function expectNothingLostOrMadeUp(
  { accepted, refused, mails, storage, workspaceId }: Account,
  messages: number,
) {
  const ids = [...accepted.values()];
  const copies = Map.groupBy(mails, ({ emailId }) => emailId);
  const known = new Set(ids);
  const statuses = await Promise.all(
    ids.map(async (id) => (await storage.emails.find(workspaceId, id))?.status),
  );
  expect(known.size).toBe(messages);
  expect({
    refused,
    lost: ids.filter((id) => !copies.has(id)),
    ghosts: [...copies.keys()].filter((id) => !known.has(id)),
    // A mail that comes again is the same in every byte.
    split: [...copies.values()].filter((all) => new Set(all.map(({ source }) => source)).size > 1),
    unsent: statuses.filter((status) => status !== "sent"),
  }).toEqual({ refused: [], lost: [], ghosts: [], split: [], unsent: [] });
  return copies;
}

/** How many mails came again because of each end: every copy but the last one is of the round that its server ended in. */
function countDuplicates(mails: Account["mails"]): Map<number, number> {
  const perRound = new Map<number, number>();
  const seen = new Map<string, number>();
  for (const { emailId, round } of mails) {
    const before = seen.get(emailId);
    if (before !== undefined) perRound.set(before, (perRound.get(before) ?? 0) + 1);
    seen.set(emailId, round);
  }
  return perRound;
}

test("20 kills while 2,000 e-mails are sent: none lost, none made up, and every duplicate explained", async () => {
  const [kills, messages] = [20, 2_000];
  const account = await sendThroughEnds("SIGKILL", kills, messages);
  const copies = await expectNothingLostOrMadeUp(account, messages);
  expect(account.endings).toEqual(Array(kills).fill("SIGKILL"));

  const perKill = countDuplicates(account.mails);
  // Each kill strikes while a mail is unanswered for, so at least that one comes again.
  expect([...perKill.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: kills }, (_, at) => at));
  expect(Math.max(...perKill.values())).toBeLessThanOrEqual(concurrency);
  const unexplained: string[] = [];
  for (const [id, all] of copies) {
    if (all.length === 1) continue;
    const attempts = await account.storage.emails.attempts(id);
    const explained = attempts.filter(({ outcome, inDoubt }) => outcome === "interrupted" || inDoubt).length;
    if (explained < all.length - 1) unexplained.push(id);
  }
  expect(unexplained).toEqual([]);
  const duplicates = [...perKill.values()].reduce((sum, count) => sum + count, 0);
  console.info(
    `${messages} e-mails, ${kills} kills: 0 lost, 0 made up, ${duplicates} duplicates, each explained`,
  );
}, 120_000);

test("SIGTERM while e-mails are sent loses none and doubles none", async () => {
  const [ends, messages] = [4, 400];
  const account = await sendThroughEnds("SIGTERM", ends, messages);
  await expectNothingLostOrMadeUp(account, messages);
  expect(account.endings).toEqual(Array(ends).fill(0));
  expect(countDuplicates(account.mails)).toEqual(new Map());
}, 60_000);
