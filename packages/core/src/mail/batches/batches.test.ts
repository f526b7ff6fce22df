import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createFixedClock, createWorld, type TestWorkspace, type World } from "../../testing/index.ts";

const hour = 60 * 60_000;

let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  workspace = await world.addWorkspace();
  const { posthorn } = world;
  await posthorn.templates.create(
    { name: "offer", subject: "For {{name}}", text: "{{name}}: {{price}} {{shop}}" },
    workspace.asOwner,
  );
});
afterEach(() => world.close());

type Input = Parameters<World["posthorn"]["emails"]["sendBatch"]>[0];
const host = () => ({ workspaceId: workspace.id });
const batch = (input: Input) => world.posthorn.emails.sendBatch(input, host());
const tryBatch = (input: Input) => world.posthorn.emails.dryRunSendBatch(input, host());
const literal = { subject: "Hi", text: "Hello" };
const people = (...names: string[]) => names.map((name) => ({ to: `${name}@example.com` }));
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `p${index}@example.com` }));
const list = async (batchId?: string) =>
  (await world.posthorn.emails.list({ size: 100, ...(batchId === undefined ? {} : { batchId }) }, host()))
    .items;
const used = async () => {
  const { quota } = await tryBatch({ ...literal, recipients: people("probe") });
  return quota.hour.used;
};
const suppress = (email: string) => world.posthorn.suppressions.create({ email }, workspace.asOwner);
const eventsOf = async (type: string) =>
  (await world.storage.events.list({ workspaceId: workspace.id, type }, { offset: 0, limit: 100 })).items.map(
    ({ metadata }) => JSON.parse(metadata) as Record<string, unknown>,
  );

async function limitTo(limits: {
  hourlyRateLimit?: number;
  dailyRateLimit?: number;
  maxBatchSize?: number;
}): Promise<void> {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Small", ...limits }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
}

// platform.md P2
describe("a batch whose e-mails share what they say", () => {
  test("is an e-mail for each recipient, with shared values and options that each may replace", async () => {
    const sent = await batch({
      template: "offer",
      templateData: { shop: "Acme", price: 9, name: "nobody" },
      tags: ["all"],
      metadata: { run: 1 },
      priority: "low",
      from: "Shop <hello@shop.example>",
      recipients: [
        { to: "Ada <ada@example.com>", templateData: { name: "Ada" }, key: "first" },
        { to: "bob@example.com", templateData: { name: "Bob", price: 7 }, tags: ["own"], metadata: { n: 2 } },
      ],
    });
    expect(sent).toMatchObject({
      emails: [
        { index: 0, to: "ada@example.com", status: "queued", key: "first" },
        { index: 1, to: "bob@example.com", status: "queued", key: undefined },
      ],
      skipped: [],
    });
    const [bob, ada] = await list(sent.batchId);
    expect(ada).toMatchObject({ subject: "For Ada", tags: ["all"], metadata: { run: 1 }, priority: "low" });
    expect(bob).toMatchObject({ subject: "For Bob", tags: ["own"], metadata: { n: 2 } });
    expect([ada?.batchId, bob?.batchId]).toEqual([sent.batchId, sent.batchId]);
    await world.posthorn.drain();
    const texts = world.mailer.inbox.all().map(({ text }) => text?.trim());
    expect(texts.toSorted()).toEqual(["Ada: 9 Acme", "Bob: 7 Acme"]);
    expect(await world.posthorn.emails.getBatch({ batchId: sent.batchId }, host())).toMatchObject({
      id: sent.batchId,
      createdAt: world.clock.now(),
      counts: { total: 2, sent: 2, queued: 0, skipped: 0, bounced: 0 },
    });
  });

  test("tells every fault at once, by its place, and accepts nothing", async () => {
    const refused = batch({
      template: "offer",
      templateData: { shop: "Acme", price: 1 },
      recipients: [
        { to: "ada@example.com", templateData: { name: "Ada" } },
        { to: "nobody" },
        { to: "ADA@example.com", templateData: { name: "Ada" } },
        { to: "bob@example.com" },
        { to: "eve@example.com", templateData: { name: "Eve" }, nickname: "e" } as { to: string },
      ],
    });
    await expect(refused).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^recipients\.1\.to: .* \(and 3 more\)$/),
      details: [
        { path: "recipients.1.to" },
        { path: "recipients.2.to", message: "ADA@example.com is given twice" },
        { path: "recipients.3", code: "template_data_missing", details: { missing: ["name"] } },
        { path: "recipients.4.nickname", message: "is not a known field" },
      ],
    });
    expect([await list(), await used()]).toEqual([[], 0]);
  });

  test("where all faults are of one kind, that is the refusal; beyond a hundred, their number is told", async () => {
    const error = await batch({ template: "offer", recipients: many(130) }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "template_data_missing", more: 30 });
    expect(error.details).toHaveLength(100);
  });

  test("leaves out what is faulty or suppressed, if that is wanted, and tells why", async () => {
    await suppress("gone@example.com");
    const sent = await batch({
      template: "offer",
      onInvalid: "skip",
      templateData: { shop: "Acme", price: 1, name: "you" },
      recipients: [
        { to: "nobody", key: "k" },
        { to: "gone@example.com" },
        { to: "ada@example.com" },
        { to: "ada@example.com" },
        7 as unknown as { to: string },
      ],
    });
    expect(sent.emails.map(({ index, to }) => [index, to])).toEqual([[2, "ada@example.com"]]);
    expect(sent.skipped).toMatchObject([
      { index: 0, to: "nobody", key: "k", code: "validation_failed", details: [{ path: "recipients.0.to" }] },
      { index: 1, to: "gone@example.com", code: "recipient_suppressed" },
      { index: 3, to: "ada@example.com", code: "validation_failed" },
      { index: 4, to: "", code: "validation_failed", details: [{ path: "recipients.4" }] },
    ]);
    const { counts } = await world.posthorn.emails.getBatch({ batchId: sent.batchId }, host());
    expect(counts).toMatchObject({ total: 5, queued: 1, skipped: 4 });
    expect(await used()).toBe(1);
  });

  test("what no JSON holds is a fault of its recipient, such as values in a cycle", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["again"] = cycle;
    const recipients = [{ to: "ada@example.com", templateData: cycle }, ...people("bob")];
    const sent = await batch({ ...literal, onInvalid: "skip", recipients });
    expect(sent.skipped).toMatchObject([
      { index: 0, details: [{ path: "recipients.0.templateData", message: "can't be written as JSON" }] },
    ]);
    expect(sent.emails.map(({ to }) => to)).toEqual(["bob@example.com"]);
  });

  test("one suppressed address sinks nobody: its e-mail is suppressed from the start, told of, and not charged", async () => {
    await suppress("gone@example.com");
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.suppressed", "email.queued"] },
      workspace.asOwner,
    );
    const sent = await batch({ ...literal, recipients: people("ada", "gone", "bob") });
    expect(sent.emails.map(({ status }) => status)).toEqual(["queued", "suppressed", "queued"]);
    expect(await used()).toBe(2);
    expect(await eventsOf("email.queued")).toHaveLength(2);
    expect(await eventsOf("email.suppressed")).toEqual([
      { email_id: sent.emails[1]?.id, recipient: "gone@example.com", origin: "manual" },
    ]);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(2);
    const told = world.http.posts.map(({ body }) => (JSON.parse(String(body)) as { event: string }).event);
    expect(told.toSorted()).toEqual(["email.queued", "email.queued", "email.suppressed"]);
    const { counts } = await world.posthorn.emails.getBatch({ batchId: sent.batchId }, host());
    expect(counts).toMatchObject({ sent: 2, suppressed: 1, skipped: 0 });
  });

  test("an address may come twice if that is said", async () => {
    const input = { ...literal, recipients: people("ada", "ada") };
    await expect(batch(input)).rejects.toMatchObject({ details: [{ path: "recipients.1.to" }] });
    expect((await batch({ ...input, allowDuplicates: true })).emails).toHaveLength(2);
  });

  test("what stands against all of it refuses it whole, whatever is to become of single e-mails", async () => {
    const recipients = people("ada");
    const onInvalid = "skip" as const;
    await expect(batch({ template: "none", recipients, onInvalid })).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(
      batch({ ...literal, recipients, onInvalid, smtpServerId: "0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d" }),
    ).rejects.toMatchObject({ code: "no_smtp_server" });
    await expect(
      batch({ ...literal, recipients, onInvalid, deliverBefore: "2020-01-01T00:00:00Z" }),
    ).rejects.toMatchObject({ code: "deadline_passed" });
    await expect(
      batch({ ...literal, recipients, attachments: [{ id: "0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d" }] }),
    ).rejects.toMatchObject({ code: "attachment_not_found" });
  });

  test("what does not go together is refused by name", async () => {
    const details = async (input: unknown) =>
      (await batch(input as Input).catch((thrown) => thrown)).details.map(
        ({ path }: { path: string }) => path,
      );
    expect(await details(literal)).toEqual(["recipients"]);
    expect(await details({ ...literal, recipients: [] })).toEqual(["recipients"]);
    expect(await details({ recipients: people("a") })).toEqual(["template"]);
    expect(await details({ recipients: people("a"), text: "T" })).toEqual(["subject"]);
    expect(await details({ ...literal, template: "offer", recipients: people("a") })).toEqual(["template"]);
    expect(await details({ ...literal, templateData: { a: 1 }, recipients: people("a") })).toEqual([
      "templateData",
    ]);
    expect(
      await details({ ...literal, recipients: [{ to: "a@b.example", templateData: { a: 1 } }] }),
    ).toEqual(["recipients.0.templateData"]);
    expect(await details({ emails: [], recipients: people("a"), ...literal })).toEqual([
      "recipients",
      "subject",
      "text",
    ]);
    expect(await details({ emails: [{ ...literal, to: ["a@b.example"] }], tags: ["x"] })).toEqual(["tags"]);
  });

  test("each gets a link of its own to unsubscribe, and those who left get nothing", async () => {
    const unsubscribe = { list: "news" };
    await world.posthorn.suppressions.create({ email: "gone@example.com", scope: "news" }, workspace.asOwner);
    const input = { ...literal, unsubscribe, recipients: people("ada", "bob", "gone") };
    const sent = await batch({ ...input, onInvalid: "skip" });
    expect(sent.skipped).toMatchObject([{ index: 2, code: "recipient_suppressed" }]);
    await world.posthorn.drain();
    const links = world.mailer.inbox
      .all()
      .map(({ headers }) => headers.find(({ name }) => name === "List-Unsubscribe")?.value);
    expect(new Set(links).size).toBe(2);
    await expect(
      batch({ ...input, headers: { "List-Unsubscribe": "<https://x.example>" } }),
    ).rejects.toMatchObject({ details: [{ path: "headers.List-Unsubscribe" }] });
  });
});

describe("a batch of e-mails that differ", () => {
  test("takes what each send takes, and tells of each by its place", async () => {
    const sent = await batch({
      emails: [
        {
          template: "offer",
          templateData: { name: "Ada", price: 1, shop: "A" },
          to: ["ada@example.com"],
          key: "t",
        },
        { ...literal, to: ["bob@example.com", "eve@example.com"], cc: ["dan@example.com"], sensitive: true },
        {
          ...literal,
          to: ["ada@example.com"],
          scheduledAt: new Date(world.clock.now() + hour).toISOString(),
        },
      ],
    });
    expect(sent.emails).toMatchObject([
      { index: 0, to: "ada@example.com", status: "queued", key: "t" },
      { index: 1, to: "bob@example.com, eve@example.com", status: "queued" },
      { index: 2, to: "ada@example.com", status: "scheduled" },
    ]);
    expect((await list(sent.batchId)).map(({ subject }) => subject)).toEqual(["Hi", "", "For Ada"]);
    expect(await used()).toBe(5);
    const { cancelled } = await world.posthorn.emails.cancelBatch({ batchId: sent.batchId }, host());
    expect(cancelled).toBe(3);
    expect(await eventsOf("email.cancelled")).toHaveLength(3);
  });

  test("refuses the faults of all, and leaves them out where that is wanted", async () => {
    const emails = [
      { template: "none", to: ["ada@example.com"] },
      { template: "offer", to: ["ada@example.com"] },
      { ...literal, to: ["ada@example.com", "ada@example.com"] },
      { ...literal, to: ["ada@example.com"] },
      { ...literal, to: ["ada@example.com"], whenLimited: "defer" } as never,
    ];
    await expect(batch({ emails })).rejects.toMatchObject({
      code: "validation_failed",
      details: [
        { path: "emails.0", code: "not_found" },
        { path: "emails.1", code: "template_data_missing" },
        { path: "emails.2.to.1" },
        { path: "emails.4.whenLimited" },
      ],
    });
    const { emails: sent, skipped } = await batch({ emails, onInvalid: "skip" });
    expect(sent.map(({ index }) => index)).toEqual([3]);
    expect(skipped.map(({ code }) => code)).toEqual([
      "not_found",
      "template_data_missing",
      "validation_failed",
      "validation_failed",
    ]);
  });

  test("sends once under a dedupe key, also within the batch; the first is named", async () => {
    const first = await world.posthorn.emails.send(
      { ...literal, to: ["ada@example.com"], dedupeKey: "order-1" },
      host(),
    );
    const sent = await batch({
      ...literal,
      recipients: [
        { to: "a@example.com", dedupeKey: "order-1" },
        { to: "b@example.com", dedupeKey: "order-2" },
        { to: "c@example.com", dedupeKey: "order-2" },
      ],
    });
    expect(sent.emails.map(({ index }) => index)).toEqual([1]);
    expect(sent.skipped).toMatchObject([
      { index: 0, code: "deduplicated", details: { email_id: first.id } },
      { index: 2, code: "deduplicated", details: { email_id: sent.emails[0]?.id } },
    ]);
    expect(await used()).toBe(2);
  });
});

describe("the limits of a batch", () => {
  test("its size is the plan's, exactly, counted in recipients", async () => {
    await limitTo({ maxBatchSize: 3 });
    expect((await batch({ ...literal, recipients: many(3) })).emails).toHaveLength(3);
    await expect(batch({ ...literal, recipients: many(4) })).rejects.toMatchObject({
      code: "batch_too_large",
      details: { limit: "max_batch_size", value: 3, count: 4 },
    });
    const wide = { ...literal, to: ["a@b.example", "b@b.example"], cc: ["c@b.example", "d@b.example"] };
    await expect(batch({ emails: [wide] })).rejects.toMatchObject({ code: "batch_too_large" });
  });

  test("without a plan's it is ten thousand", async () => {
    await expect(batch({ ...literal, recipients: many(10_001) })).rejects.toMatchObject({
      code: "batch_too_large",
      details: { value: 10_000, count: 10_001 },
    });
  });

  test("what it would repeat for each has a bound", async () => {
    const templateData = { note: "x".repeat(200_000) };
    await expect(batch({ template: "offer", templateData, recipients: many(400) })).rejects.toMatchObject({
      code: "payload_too_large",
    });
  });

  test("its recipients are charged at once: all of them fit, or none is accepted", async () => {
    await limitTo({ hourlyRateLimit: 5 });
    const settled = await Promise.allSettled(
      Array.from({ length: 4 }, () => batch({ ...literal, recipients: people("a", "b") })),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await used()).toBe(4);
    await expect(batch({ ...literal, recipients: people("a", "b") })).rejects.toMatchObject({
      code: "rate_limited",
      details: { limit: "hourly_rate_limit", used: 4 },
    });
    expect((await batch({ ...literal, recipients: people("a") })).emails).toHaveLength(1);
  });

  test("what waits for room goes into one hour after another, and keeps its place", async () => {
    await limitTo({ hourlyRateLimit: 2 });
    await suppress("p2@example.com");
    const sent = await batch({ ...literal, recipients: many(6), whenLimited: "defer", idempotencyKey: "k" });
    expect(sent.emails.map(({ index, status }) => [index, status])).toEqual([
      [0, "queued"],
      [1, "queued"],
      [2, "suppressed"],
      [3, "scheduled"],
      [4, "scheduled"],
      [5, "scheduled"],
    ]);
    const emails = (await list(sent.batchId)).reverse();
    const start = Math.floor(world.clock.now() / hour) * hour;
    expect(emails.map(({ scheduledAt }) => scheduledAt && (scheduledAt - start) / hour)).toEqual([
      undefined,
      undefined,
      undefined,
      1,
      1,
      2,
    ]);
    const again = await batch({ ...literal, recipients: many(6), whenLimited: "defer", idempotencyKey: "k" });
    expect(again).toEqual(sent);
  });
});

describe("the same batch again", () => {
  const input = (): Input => ({
    template: "offer",
    onInvalid: "skip",
    idempotencyKey: "once",
    templateData: { shop: "Acme", price: 1, name: "you" },
    recipients: [{ to: "ada@example.com", key: "a" }, { to: "nobody" }, { to: "bob@example.com", key: "b" }],
  });

  test("gets the same answer, made anew from what is kept, whatever the order of its keys", async () => {
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
    expect(await batch(turned as Input)).toEqual(first);
    expect([(await list()).length, await used()]).toEqual([2, 2]);
    const kept = await world.storage.idempotencyKeys.find(`workspace:${workspace.id}`, "once", 0);
    expect(JSON.parse(kept?.answer ?? "")).toEqual({ batchId: first.batchId });
    expect(recipients).toHaveLength(3);
  });

  test("stands although it would be refused now, and another under its key is refused", async () => {
    const first = await batch(input());
    await limitTo({ maxBatchSize: 1, hourlyRateLimit: 1 });
    expect(await batch(input())).toEqual(first);
    await expect(batch({ ...input(), tags: ["more"] })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
  });

  test("two at a time are one", async () => {
    const [one, other] = await Promise.all([batch(input()), batch(input())]);
    expect(other).toEqual(one);
    expect(await list()).toHaveLength(2);
  });

  test("what was refused is not kept", async () => {
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

  test("tells where its e-mails stand now, and that none of it was an e-mail", async () => {
    const none = {
      ...literal,
      onInvalid: "skip" as const,
      idempotencyKey: "none",
      recipients: [{ to: "x" }],
    };
    const first = await batch(none);
    expect(first).toMatchObject({ emails: [], skipped: [{ index: 0 }] });
    expect(await batch(none)).toEqual(first);
    const { batchId } = await batch(input());
    await world.posthorn.drain();
    expect((await batch(input())).emails.map(({ status }) => status)).toEqual(["sent", "sent"]);
    expect((await batch(input())).batchId).toBe(batchId);
  });
});

describe("a dry run of a batch", () => {
  test("tells every reason of every e-mail, and writes nothing", async () => {
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

  test("tells what would be sent, when, and that it was before", async () => {
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
  });
});

describe("files of a batch", () => {
  const file = { filename: "terms.txt", content: Buffer.from("These are the terms.").toString("base64") };

  test("are kept once for all who share them", async () => {
    const put = vi.spyOn(world.storage.attachments, "putSet");
    const sent = await batch({ ...literal, attachments: [file], recipients: many(5) });
    const { id } = await world.posthorn.attachments.upload(
      { filename: "a.txt", content: Buffer.from("x") },
      host(),
    );
    await batch({ ...literal, attachments: [{ id }], recipients: many(3) });
    put.mockRestore();
    const emails = await list(sent.batchId);
    expect(emails.map(({ attachments }) => attachments[0]?.filename)).toEqual(Array(5).fill("terms.txt"));
    const sets = await Promise.all(
      emails.map(async (email) => (await world.storage.emails.find(workspace.id, email.id))?.attachmentSetId),
    );
    expect(new Set(sets).size).toBe(1);
    await world.posthorn.drain();
    expect(world.mailer.inbox.all()).toHaveLength(8);
  });

  test("are each e-mail's own where e-mails differ", async () => {
    const sent = await batch({
      emails: [
        { ...literal, to: ["ada@example.com"], attachments: [file] },
        { ...literal, to: ["bob@example.com"] },
      ],
    });
    expect((await list(sent.batchId)).map(({ attachments }) => attachments.length)).toEqual([0, 1]);
  });

  test("are not kept for a batch that is refused", async () => {
    await limitTo({ hourlyRateLimit: 1 });
    const begun = vi.spyOn(world.storage.attachments, "beginUpload");
    await expect(batch({ ...literal, attachments: [file], recipients: many(2) })).rejects.toMatchObject({
      code: "rate_limited",
    });
    expect(begun).not.toHaveBeenCalled();
    begun.mockRestore();
  });
});

test("a batch is another workspace's to nobody", async () => {
  const { batchId } = await batch({ ...literal, recipients: people("ada") });
  const other = { workspaceId: (await world.addWorkspace()).id };
  const { emails } = world.posthorn;
  await expect(emails.getBatch({ batchId }, other)).rejects.toMatchObject({ code: "not_found" });
  await expect(emails.cancelBatch({ batchId }, other)).rejects.toMatchObject({ code: "not_found" });
  expect((await emails.list({ batchId }, other)).total).toBe(0);
});

test("pruning removes a batch with its e-mails, and one without any after thirty days", async () => {
  const clock = createFixedClock();
  await world.close();
  world = await createWorld(await openTestSqlite(), { clock });
  workspace = await world.addWorkspace();
  const empty = await batch({ ...literal, onInvalid: "skip", recipients: [{ to: "x" }] });
  const get = (batchId: string) =>
    world.posthorn.emails.getBatch({ batchId }, host()).then(
      () => true,
      () => false,
    );
  clock.advance(30 * 24 * hour);
  await world.posthorn.prune();
  expect(await get(empty.batchId)).toBe(true);
  clock.advance(1);
  await world.posthorn.prune();
  expect(await get(empty.batchId)).toBe(false);
});
