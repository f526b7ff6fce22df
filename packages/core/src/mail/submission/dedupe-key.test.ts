import { describe, expect, test } from "vitest";
import { after } from "../../../test/send-options.ts";
import {
  day,
  host,
  hour,
  limitTo,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";

openDatabaseForEach();

const dry = () =>
  world.posthorn.emails.dryRunSend(
    { subject: "Hi", text: "x", to: ["ada@example.com"], dedupeKey: "k" },
    host(),
  );
const count = async () => (await world.posthorn.emails.list({}, host())).total;

// platform.md P1
describe("dedupe_key", () => {
  test("sends once, ever, whatever later requests contain", async () => {
    const first = await send({ dedupeKey: "order-7" });
    expect(first.deduplicated).toBe(false);
    world.clock.advance(40 * day);
    const again = await send({ dedupeKey: "order-7", subject: "Other", to: ["bob@example.com"] });
    expect(again).toMatchObject({ id: first.id, subject: "Hi", deduplicated: true });
    expect(await count()).toBe(1);
    const other = await world.addWorkspace();
    const elsewhere = await world.posthorn.emails.send(
      { subject: "Hi", text: "x", to: ["ada@example.com"], dedupeKey: "order-7" },
      { workspaceId: other.id },
    );
    expect(elsewhere.deduplicated).toBe(false);
  });

  // A host's own call brings such keys, as when it cuts a name to a length; requests with one are refused as JSON.
  test("and idempotency_key are refused with half of a surrogate pair, which is stored as another key", async () => {
    for (const name of ["dedupeKey", "idempotencyKey"])
      for (const key of ["Ada \ud83d", "\ude00 Ada"])
        await expect(send({ [name]: key })).rejects.toMatchObject({
          code: "validation_failed",
          details: [{ path: name, message: "contains half of a surrogate pair" }],
        });
    expect(await count()).toBe(0);
    await send({ dedupeKey: "Ada \u{1f600}" });
    expect((await send({ dedupeKey: "Ada \u{1f600}" })).deduplicated).toBe(true);
  });

  test("and a tag is refused with half of a surrogate pair, which is stored as another tag", async () => {
    await expect(send({ tags: ["vip", "Ada \ud83d"] })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "tags.1", message: "contains half of a surrogate pair" }],
    });
    expect(await count()).toBe(0);
  });

  test("of ten at once, one is sent", async () => {
    const sent = await Promise.all(Array.from({ length: 10 }, () => send({ dedupeKey: "k" })));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(sent.filter(({ deduplicated }) => !deduplicated)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test("is answered even if the send would be refused now, and not charged", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const first = await send({ dedupeKey: "k", idempotencyKey: "i" });
    expect(await send({ dedupeKey: "k" })).toMatchObject({ id: first.id });
    const late = await send({ dedupeKey: "k", deliverBefore: after(-1) });
    expect(late).toMatchObject({ id: first.id, deduplicated: true });
  });

  test("is not taken by a refused send", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    await send();
    const message = "The plan's hourly limit of 1 recipient is reached.";
    await expect(send({ dedupeKey: "k" })).rejects.toMatchObject({ code: "rate_limited", message });
    world.clock.advance(hour);
    expect((await send({ dedupeKey: "k" })).deduplicated).toBe(false);
  });

  test("is not taken by a request that is refused for its Idempotency-Key", async () => {
    await send({ idempotencyKey: "i" });
    await expect(send({ idempotencyKey: "i", subject: "Other", dedupeKey: "k" })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    expect((await send({ dedupeKey: "k" })).deduplicated).toBe(false);
  });

  test("a repetition under an Idempotency-Key gets the answer of its own first request", async () => {
    const request = { dedupeKey: "k", idempotencyKey: "i" };
    const first = await send(request);
    await world.posthorn.drain();
    expect(await send(request)).toEqual({ ...JSON.parse(JSON.stringify(first)), replayed: true });
    // These were answered with that e-mail, as it is now.
    const other = { ...request, idempotencyKey: "j" };
    for (let times = 0; times < 2; times += 1)
      expect(await send(other)).toMatchObject({ id: first.id, status: "sent", deduplicated: true });
  });

  test("does not free the Idempotency-Key of a request answered with the first e-mail for another one", async () => {
    await send({ dedupeKey: "k" });
    await send({ dedupeKey: "k", idempotencyKey: "i" });
    const reused = { code: "idempotency_key_reused" };
    await expect(send({ idempotencyKey: "i" })).rejects.toMatchObject(reused);
    await send({ dedupeKey: "spent" });
    for (const dedupeKey of ["other", "spent"])
      await expect(send({ dedupeKey, idempotencyKey: "i" })).rejects.toMatchObject(reused);
    const repeated = { dedupeKey: "k", idempotencyKey: "i" };
    expect(await send(repeated)).toMatchObject({ deduplicated: true });
    // It was checked at once, and would be refused by now.
    const soon = { ...repeated, idempotencyKey: "j", deliverBefore: after(60_000) };
    await send(soon);
    world.clock.advance(hour);
    expect(await send(soon)).toMatchObject({ deduplicated: true });
  });

  test("stays used after the e-mail is removed from the log", async () => {
    const { id } = await send({ dedupeKey: "k" });
    await world.posthorn.drain();
    await world.storage.emails.deleteBefore(workspace.id, world.clock.now() + 1, 10);
    await expect(send({ dedupeKey: "k" })).rejects.toMatchObject({
      code: "dedupe_key_spent",
      details: { email_id: id },
    });
    expect(await count()).toBe(0);
    expect(await dry()).toMatchObject({
      wouldSend: false,
      reasons: [{ code: "dedupe_key_spent", details: { email_id: id } }],
      warnings: [],
    });
  });

  test("a dry run reports it and does not take it", async () => {
    expect(await dry()).toMatchObject({ wouldSend: true, warnings: [] });
    const { id } = await send({ dedupeKey: "k" });
    expect(await dry()).toMatchObject({
      wouldSend: false,
      reasons: [],
      warnings: [{ code: "deduplicated", details: { email_id: id } }],
    });
  });
});
