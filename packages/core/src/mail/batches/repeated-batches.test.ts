import { describe, expect, test } from "vitest";
import {
  batch,
  type Input,
  list,
  literal,
  openBatchWorldForEach,
  people,
  suppress,
  tryBatch,
  used,
} from "../../../test/batch-world.ts";
import { hour, limitTo, workspace, world } from "../../../test/world-for-each.ts";

openBatchWorldForEach();

describe("a repeated batch", () => {
  const input = (): Input => ({
    template: "offer",
    onInvalid: "skip",
    idempotencyKey: "once",
    templateData: { shop: "Acme", price: 1, name: "you" },
    recipients: [{ to: "ada@example.com", key: "a" }, { to: "nobody" }, { to: "bob@example.com", key: "b" }],
  });

  test("gets the same answer, rebuilt from what is stored, whatever the order of its keys", async () => {
    const first = await batch(input());
    const { recipients, templateData, ...rest } = input() as { recipients: object[]; templateData: object };
    const turned = {
      recipients: [
        { key: "a", to: "ada@example.com" },
        { to: "nobody" },
        { key: "b", to: "bob@example.com" },
      ],
      ...Object.fromEntries(Object.entries(rest).reverse()),
      templateData: Object.fromEntries(Object.entries(templateData).reverse()),
    };
    expect([first.replayed, await batch(turned as Input)]).toEqual([false, { ...first, replayed: true }]);
    expect([(await list()).length, await used()]).toEqual([2, 2]);
    const kept = await world.storage.idempotencyKeys.find(`workspace:${workspace.id}`, "once", 0);
    expect(JSON.parse(kept?.answer ?? "")).toEqual({ batchId: first.batchId });
    expect(recipients).toHaveLength(3);
  });

  test("is answered even if it would be refused now, and another under its key is refused", async () => {
    const first = await batch(input());
    await limitTo({ maxBatchSize: 1, hourlyRateLimit: 1 });
    expect(await batch(input())).toEqual({ ...first, replayed: true });
    const to = [{ to: "ada@example.com", key: "a" }, { to: "nobody" }];
    const others = [
      { tags: ["more"] },
      { recipients: to },
      { recipients: [...to, { to: "eve@example.com" }] },
    ];
    for (const other of others)
      await expect(batch({ ...input(), ...other })).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  test("two at a time are one batch", async () => {
    const [one, other] = await Promise.all([batch(input()), batch(input())]);
    expect([one.replayed, other.replayed].sort()).toEqual([false, true]);
    expect({ ...other, replayed: one.replayed }).toEqual(one);
    expect(await list()).toHaveLength(2);
  });

  test("a refusal is not stored", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    await expect(batch(input())).rejects.toMatchObject({ code: "rate_limited" });
    world.clock.advance(hour);
    await limitTo2();
    expect((await batch(input())).emails).toHaveLength(2);
  });
  const limitTo2 = async () => {
    const as = { as: await world.addUser({ admin: true }) };
    const plan = await world.posthorn.plans.create({ name: "Larger", hourlyRateLimit: 2 }, as);
    await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
  };

  test("reports the current status of its e-mails, and the skipped ones", async () => {
    const none = {
      ...literal,
      onInvalid: "skip" as const,
      idempotencyKey: "none",
      recipients: [{ to: "x" }],
    };
    const first = await batch(none);
    expect(first).toMatchObject({ emails: [], skipped: [{ index: 0 }] });
    expect(await batch(none)).toEqual({ ...first, replayed: true });
    const { batchId } = await batch(input());
    await world.posthorn.drain();
    expect((await batch(input())).emails.map(({ status }) => status)).toEqual(["sent", "sent"]);
    expect((await batch(input())).batchId).toBe(batchId);
  });
});

describe("a dry run of a batch", () => {
  test("reports every problem of every e-mail, and writes nothing", async () => {
    await limitTo({ hourlyRateLimit: 1, maxBatchSize: 2 });
    await suppress("gone@example.com");
    const before = (await world.storage.events.list({ workspaceId: "all" }, { offset: 0, limit: 1 })).total;
    const tried = await tryBatch({
      template: "offer",
      idempotencyKey: "k",
      templateData: { shop: "Acme", price: 1 },
      recipients: [
        { to: "ada@example.com", templateData: { name: "Ada" } },
        { to: "bob@example.com", templateData: { name: "Bob" } },
        { to: "gone@example.com", templateData: { name: "Gone" } },
        { to: "nobody" },
      ],
    });
    expect(tried.wouldSend).toBe(false);
    expect(tried.reasons.map(({ code }) => code)).toEqual(["batch_too_large", "rate_limited"]);
    expect(tried.faults.map(({ index, code }) => [index, code])).toEqual([
      [2, "recipient_suppressed"],
      [3, "validation_failed"],
    ]);
    expect(tried.counts).toEqual({ total: 4, accepted: 2, suppressed: 1 });
    expect(tried.sizeBytes).toBeGreaterThan(10);
    expect(await list()).toEqual([]);
    expect((await world.storage.events.list({ workspaceId: "all" }, { offset: 0, limit: 1 })).total).toBe(
      before,
    );
    expect(await world.storage.idempotencyKeys.find(`workspace:${workspace.id}`, "k", 0)).toBeUndefined();
  });

  test("reports a template or version that there is not among the other reasons", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const recipients = people("a", "b");
    const versionId = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";
    for (const content of [{ template: "ofer" }, { template: "offer", templateVersionId: versionId }]) {
      const tried = await tryBatch({ ...content, recipients });
      expect(tried).toMatchObject({ wouldSend: false, faults: [], counts: { total: 2 }, sizeBytes: 0 });
      expect(tried.reasons.map(({ code }) => code)).toEqual(["not_found", "rate_limited"]);
    }
  });

  test("reports what would be sent and when, and whether it was sent before", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const input = {
      ...literal,
      whenLimited: "defer" as const,
      idempotencyKey: "k",
      recipients: people("a", "b"),
    };
    const tried = await tryBatch(input);
    expect(tried).toMatchObject({
      wouldSend: true,
      reasons: [],
      faults: [],
      warnings: [{ code: "deferred" }],
    });
    await batch(input);
    const again = await tryBatch(input);
    expect(again).toMatchObject({ wouldSend: false, warnings: [{ code: "answered_before" }] });
    expect(again.counts).toMatchObject({ total: 2, accepted: 0 });
  });

  test("counts no e-mail that was sent before under its dedupe key", async () => {
    await suppress("gone@example.com");
    const once = (name: string) => ({ to: `${name}@example.com`, dedupeKey: name });
    const input = (...names: string[]) => ({ ...literal, recipients: names.map(once) });
    await batch(input("ada", "bob"));
    const tried = await tryBatch(input("ada", "eve", "bob"));
    expect(tried).toMatchObject({ wouldSend: true, counts: { total: 3, accepted: 1 } });
    expect(tried.warnings.map(({ code }) => code)).toEqual(["deduplicated"]);
    // With a suppressed recipient, who gets a row of the log alone, nothing would be sent either.
    const none = await tryBatch(input("ada", "gone"));
    expect(none).toMatchObject({ wouldSend: false, counts: { total: 2, accepted: 0, suppressed: 1 } });
  });
});
