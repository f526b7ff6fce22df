import { useCases } from "@posthorn/core/internal";
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

test("a large batch locks its key last and no counters of its quota, because other sends would wait for them", async () => {
  const world = await createWorld(await openTestPostgres());
  onTestFinished(() => world.close());
  const { posthorn } = world;
  const shop = await world.addWorkspace();
  const plan = await posthorn.plans.create({ name: "Limited", dailyRateLimit: 5_000 });
  await posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id });
  const { key } = await posthorn.apiKeys.create({ name: "shop" }, shop.asOwner);
  const caller = await posthorn.authenticateApiKey(key);
  const recipients = Array.from({ length: 600 }, (_, index) => ({ to: `u${index}@example.com` }));
  const input = { subject: "S", text: "T", recipients };
  const query = vi.spyOn(pg.Client.prototype, "query");
  const call = { caller, client: { ip: "192.0.2.1", userAgent: "" }, workspaceId: undefined };
  await posthorn.execute(useCases.emails.sendBatch as never, input as never, call as never);
  const all = query.mock.calls.map(([asked], at) => ({
    client: query.mock.contexts[at],
    texts: sentTexts(asked),
  }));
  query.mockRestore();
  const writing = all.find(({ texts }) => texts.some((text) => /insert into "[^"]+"."emails"/.test(text)));
  const texts = all.filter(({ client }) => client === writing?.client).flatMap((one) => one.texts);
  const written = texts.findLastIndex((text) => /insert into "[^"]+"."emails"/.test(text));
  const locked = texts.findIndex((text) => /update "[^"]+"."api_keys"/.test(text));
  expect(written).toBeGreaterThan(0);
  expect(locked).toBeGreaterThan(written);
  const begun = texts.findLastIndex((text, index) => index < written && text.startsWith("begin"));
  expect(texts.slice(begun, written).filter((text) => text.includes('"usage"'))).toEqual([]);
  expect(texts.slice(written).some((text) => text.includes('"usage"'))).toBe(true);
});
