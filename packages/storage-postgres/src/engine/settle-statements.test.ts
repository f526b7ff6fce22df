import { createWorld } from "@posthorn/core/testing";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestPostgres } from "../../test/open-test-storage.ts";
import { sentTexts } from "../../test/sent-texts.ts";

test("a settlement takes its e-mails and reads the webhooks, then writes all else as one statement", async () => {
  const world = await createWorld(await openTestPostgres());
  onTestFinished(() => world.close());
  const shop = await world.addWorkspace();
  const mail = { subject: "S", text: "T", to: ["ada@example.com"] };
  await world.posthorn.emails.send(mail, { workspaceId: shop.id });
  const query = vi.spyOn(pg.Client.prototype, "query");
  await world.posthorn.drain();
  const all = query.mock.calls.flatMap(([asked], at) =>
    sentTexts(asked).map((text) => ({ client: query.mock.contexts[at], text: text.trim() })),
  );
  query.mockRestore();
  const takesItems = (text: string) => /delete from .*"claim_items"/.test(text);
  // Other connections may ask for something meanwhile.
  const settling = all.find(({ text }) => takesItems(text))?.client;
  const sent = all.filter(({ client }) => client === settling).map(({ text }) => text);
  const taken = sent.findIndex(takesItems);
  const settlement = sent.slice(taken - 2, taken + 3);
  expect(settlement.map((text) => text.split(" ", 1)[0])).toEqual([
    "begin",
    "select",
    "with",
    "with",
    "commit",
  ]);
  for (const table of ["email_outcomes", "email_recipients", "email_attempts", "events"])
    expect(settlement[3]).toContain(`"${table}"`);
});
