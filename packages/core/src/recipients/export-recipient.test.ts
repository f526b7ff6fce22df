import { expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../test/world-for-each.ts";
import { searchedLogs } from "../ports/storage.ts";

openWorldForEach();

/** Reads an export, and counts the turns of the event loop meanwhile. */
async function countTurns(email: string): Promise<{ turns: number; lines: number }> {
  const { content } = await world.posthorn.recipients.export({ email }, shop.asOwner);
  let turns = 0;
  let isRead = false;
  const next = () => {
    turns += 1;
    if (!isRead) setImmediate(next);
  };
  setImmediate(next);
  let lines = 0;
  for await (const chunk of content) for (const byte of chunk) lines += byte === 10 ? 1 : 0;
  isRead = true;
  return { turns, lines };
}

test("an export lets other work go on between the chunks of each log", async () => {
  const { turns, lines } = await countTurns("nobody@people.example");
  expect(lines).toBe(0);
  expect(turns).toBeGreaterThanOrEqual(searchedLogs.length);
});

test("an export lets other work go on between a few campaigns, whose values may be large", async () => {
  const { posthorn } = world;
  const email = "ada@people.example";
  const { turns: without } = await countTurns(email);
  const draft = { subject: "Hi", text: "Hello", from: "shop@shop.example" };
  for (let made = 0; made < 25; made += 1) {
    await posthorn.campaigns.create(
      { ...draft, name: `${made}`, recipients: [{ email }], unsubscribe: false },
      shop.asOwner,
    );
    await posthorn.emails.send({ ...draft, to: [email] }, { workspaceId: shop.id });
  }
  const { turns, lines } = await countTurns(email);
  expect(lines).toBeGreaterThanOrEqual(50);
  // What the logs have of the e-mails is read in the same pieces as without them.
  expect(turns - without).toBeGreaterThanOrEqual(4);
});

test("an export lists the suppressions of an address in the order in which they were made", async () => {
  const { posthorn, clock } = world;
  const email = "ada@people.example";
  for (const scope of ["news", "*", "offers", "alerts"]) {
    await posthorn.suppressions.create({ email, scope }, shop.asOwner);
    clock.advance(1);
  }
  const { content } = await posthorn.recipients.export({ email }, shop.asOwner);
  let text = "";
  for await (const chunk of content) text += Buffer.from(chunk).toString();
  const scopes = text
    .split("\n")
    .filter((line) => line.includes('"type":"suppression"'))
    .map((line) => (JSON.parse(line) as { scope: string }).scope);
  expect(scopes).toEqual(["news", "*", "offers", "alerts"]);
});
