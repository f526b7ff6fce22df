import { expect, test } from "vitest";
import { countDuplicates, expectDuplicatesExplained, expectNothingLostOrMadeUp } from "./judge-account.ts";
import { sendThroughEnds } from "./send-through-ends.ts";

// First, as a process that ends in order keeps what Node compiled for those that follow.
test("SIGTERM while e-mails are sent: none lost, none sent twice", async () => {
  const [ends, messages] = [2, 60];
  const account = await sendThroughEnds("SIGTERM", ends, messages);
  await expectNothingLostOrMadeUp(account, messages);
  expect(account.endings).toEqual(Array(ends).fill(0));
  expect(countDuplicates(account.mails)).toEqual(new Map());
});

// `npm run faults` does the same with more kills, and on PostgreSQL.
test("kills while e-mails are sent: none lost, none invented, and every duplicate explained", async () => {
  const [kills, messages] = [2, 80];
  const account = await sendThroughEnds("SIGKILL", kills, messages);
  await expectNothingLostOrMadeUp(account, messages);
  expect(account.endings).toEqual(Array(kills).fill("SIGKILL"));
  await expectDuplicatesExplained(account, kills);
});
