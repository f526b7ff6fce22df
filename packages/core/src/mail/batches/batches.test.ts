import { describe, expect, test } from "vitest";
import {
  batch,
  type Input,
  list,
  literal,
  many,
  openBatchWorldForEach,
  people,
  suppress,
  used,
} from "../../../test/batch-world.ts";
import { eventsOf, host, hour, workspace, world } from "../../../test/world-for-each.ts";

openBatchWorldForEach();

// platform.md P2
describe("a batch whose e-mails share their content", () => {
  test("is an e-mail for each recipient, with shared values and options that each may override", async () => {
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

  test("reports every fault at once, by its index, and accepts nothing", async () => {
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

  test("faults of one kind are the refusal's code; beyond a hundred, only their number is reported", async () => {
    const error = await batch({ template: "offer", recipients: many(130) }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "template_data_missing", more: 30 });
    expect(error.details).toHaveLength(100);
  });

  test("skips invalid or suppressed recipients if requested, with the reasons", async () => {
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

  test("a value that JSON can't represent is a fault of its recipient, such as a cycle", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["again"] = cycle;
    const recipients = [{ to: "ada@example.com", templateData: cycle }, ...people("bob")];
    const sent = await batch({ ...literal, onInvalid: "skip", recipients });
    expect(sent.skipped).toMatchObject([
      { index: 0, details: [{ path: "recipients.0.templateData.again.again", message: "contains itself" }] },
    ]);
    expect(sent.emails.map(({ to }) => to)).toEqual(["bob@example.com"]);
  });

  test("one suppressed address does not refuse the rest: its e-mail is suppressed from the start, reported, and not charged", async () => {
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

  test("an address may be repeated if allowed", async () => {
    const input = { ...literal, recipients: people("ada", "ada") };
    await expect(batch(input)).rejects.toMatchObject({ details: [{ path: "recipients.1.to" }] });
    expect((await batch({ ...input, allowDuplicates: true })).emails).toHaveLength(2);
  });

  test("a fault of the whole batch refuses it, whatever is configured for single e-mails", async () => {
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

  test.each([
    [literal, "recipients: is required unless emails is given"],
    [{ recipients: people("a") }, "template: is required unless subject is given with html or text"],
  ])("of fields of which one is needed, the refusal names both", async (input, message) => {
    await expect(batch(input as Input)).rejects.toMatchObject({ message });
  });

  test("conflicting fields are refused by name", async () => {
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

  test("each e-mail gets its own unsubscribe link, and unsubscribed recipients get nothing", async () => {
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
  test("accepts what a single send accepts, and reports each by its index", async () => {
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

  test("reports all faults, and skips them if requested", async () => {
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

  test("sends once per dedupe key, also within the batch; the first is named", async () => {
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

test("a batch is not found from another workspace", async () => {
  const { batchId } = await batch({ ...literal, recipients: people("ada") });
  const other = { workspaceId: (await world.addWorkspace()).id };
  const { emails } = world.posthorn;
  await expect(emails.getBatch({ batchId }, other)).rejects.toMatchObject({ code: "not_found" });
  await expect(emails.cancelBatch({ batchId }, other)).rejects.toMatchObject({ code: "not_found" });
  expect((await emails.list({ batchId }, other)).total).toBe(0);
});
