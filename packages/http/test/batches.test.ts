import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

interface Sent {
  batch_id: string;
  emails: { index: number; id: string; to: string; status: string; key: string | null }[];
  skipped: { index: number; to: string; code: string; details: unknown }[];
}

// platform.md P2
describe.each(engines)("batches on $name", ({ open }) => {
  let house: House;
  let key: string;
  let count = 0;
  beforeAll(async () => {
    house = await openHouse(open);
    key = await house.makeKey();
    const body = { name: "offer", subject: "For {{firstName}}", text: "{{firstName}} at {{shop}}" };
    await house.call("POST /workspaces/current/templates", { as: house.editor, body });
  });
  afterAll(() => house.close());

  const post = (body: object, { as = key, dryRun = false, headers = {} } = {}) =>
    house.call(`POST /emails/batch${dryRun ? "?dry_run=true" : ""}`, { as, body, headers });
  const sentBy = async (answer: ReturnType<typeof post>): Promise<Sent> => {
    const { status, body, text } = await answer;
    expect(status, text).toBe(202);
    return body.data as unknown as Sent;
  };
  const literal = { subject: "S", text: "T" };
  const people = (...names: string[]) => names.map((name) => ({ to: `${name}@example.com` }));

  async function withPlan(limits: object): Promise<string> {
    count += 1;
    const workspace = await house.makeWorkspace(house.owner, `Planned ${count}`);
    const plan = await house.call("POST /admin/plans", {
      as: house.administrator,
      body: { name: `plan ${count}`, ...limits },
    });
    const body = { plan_id: plan.body.data?.["id"] };
    await house.call(`POST /admin/workspaces/${workspace}/plan`, { as: house.administrator, body });
    return house.makeKey({ workspace });
  }

  test("recipients of one template get an e-mail each, listed by the batch", async () => {
    const sent = await sentBy(
      post({
        template: "offer",
        template_data: { shop: "Acme", firstName: "you" },
        on_invalid: "skip",
        reply_to: "help@acme.example",
        recipients: [
          { to: "ada@example.com", template_data: { firstName: "Ada" }, key: "a" },
          { to: "bob@example.com", template_data: { firstName: "Bob" }, tags: ["vip"] },
          { to: "x" },
        ],
      }),
    );
    expect(sent.emails).toMatchObject([
      { index: 0, to: "ada@example.com", status: "queued", key: "a" },
      { index: 1, to: "bob@example.com", status: "queued", key: null },
    ]);
    expect(sent.skipped).toMatchObject([
      { index: 2, code: "validation_failed", details: [{ path: "recipients.2.to" }] },
    ]);
    const id = sent.batch_id;
    const mine = await house.call(`GET /emails?batch_id=${id}`, { as: key });
    const peoples = await house.call(`GET /workspaces/current/emails?batch_id=${id}`, { as: house.viewer });
    for (const { body } of [mine, peoples])
      expect(body.data).toMatchObject([
        { subject: "For Bob", batch_id: id, tags: ["vip"] },
        { subject: "For Ada", batch_id: id },
      ]);
    const read = await house.call(`GET /emails/batches/${id}`, { as: key });
    expect(read.body.data).toMatchObject({ id, counts: { total: 3, queued: 2, skipped: 1 } });
    const cancelled = await house.call(`POST /emails/batches/${id}/cancel`, { as: key });
    expect(cancelled.body.data).toEqual({ cancelled: 2 });
    const again = await house.call(`POST /emails/batches/${id}/cancel`, { as: key });
    expect(again.body.data).toEqual({ cancelled: 0 });
  });

  test("faults are reported with their places, by the API's field names", async () => {
    const answer = await post({
      template: "offer",
      template_data: { shop: "Acme" },
      recipients: [
        { to: "ada@example.com", template_data: 7 },
        { to: "bob@example.com", templateData: {} },
        { to: "eve@example.com", dedupe_key: "" },
        { to: "dan@example.com" },
      ],
    });
    expect(refusal(answer)).toEqual([400, "validation_failed"]);
    expect(answer.body.error?.details).toMatchObject([
      { path: "recipients.0.template_data" },
      {
        path: "recipients.1.templateData",
        message: "is not a known field (did you mean template_data?)",
      },
      { path: "recipients.2.dedupe_key" },
      { path: "recipients.3", code: "template_data_missing", details: { missing: ["firstName"] } },
    ]);
    const skipping = await post({
      ...literal,
      on_invalid: "skip",
      recipients: [{ to: "ada@example.com", template_data: { a: 1 } }],
    });
    expect(skipping.body.data?.["skipped"]).toMatchObject([
      { message: "template_data: needs a template", details: [{ path: "recipients.0.template_data" }] },
    ]);
    const all = await post({
      template: "offer",
      recipients: people(...Array.from({ length: 105 }, (_, n) => `p${n}`)),
    });
    expect(refusal(all)).toEqual([422, "template_data_missing"]);
    expect([all.body.error?.details?.length, (all.body.error as { more?: number }).more]).toEqual([100, 5]);
    expect(faultyFields(await post({ ...literal, recipients: [], when_limited: "x" }))).toEqual([
      400,
      ["when_limited"],
    ]);
    expect(
      faultyFields(await post({ emails: [{ to: ["a@b.example"], ...literal }], reply_to: "a@b.example" })),
    ).toEqual([400, ["reply_to"]]);
  });

  test("a dry run of different e-mails writes nothing", async () => {
    const emails = [
      { ...literal, to: ["ada@example.com"] },
      { template: "offer", to: ["bob@example.com"], template_data: { shop: "A" } },
    ];
    const tried = await post({ emails }, { dryRun: true });
    expect(tried.status).toBe(200);
    expect(tried.body.data).toMatchObject({
      would_send: false,
      faults: [{ index: 1, to: "bob@example.com", code: "template_data_missing" }],
      counts: { total: 2, accepted: 1 },
    });
  });

  test("the size is limited by the plan, and a key's last use is recorded", async () => {
    const as = await withPlan({ max_batch_size: 2 });
    expect(refusal(await post({ ...literal, recipients: people("a", "b", "c") }, { as }))).toEqual([
      422,
      "batch_too_large",
    ]);
    expect((await sentBy(post({ ...literal, recipients: people("a", "b") }, { as }))).emails).toHaveLength(2);
  });

  test("concurrent batches get exactly what is left of a quota", async () => {
    const as = await withPlan({ hourly_rate_limit: 30 });
    const recipients = people(...Array.from({ length: 10 }, (_, n) => `p${n}`));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post({ ...literal, recipients }, { as })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 429, 429, 429, 429, 429]);
    const { body } = await post({ ...literal, recipients }, { as, dryRun: true });
    expect(body.data).toMatchObject({ quota: { hour: { used: 30, limit: 30 } } });
  });

  test("the same request five times at once is one batch", async () => {
    const as = await withPlan({ hourly_rate_limit: 400 });
    const headers = { "idempotency-key": "night" };
    const recipients = people(...Array.from({ length: 300 }, (_, n) => `p${n}`));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sentBy(post({ ...literal, recipients }, { as, headers }))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const listed = await house.call(`GET /emails?batch_id=${answers[0]?.batch_id}`, { as });
    expect(listed.body.pagination).toMatchObject({ total: 300 });
    const { body } = await post({ ...literal, recipients }, { as, dryRun: true });
    expect(body.data).toMatchObject({ quota: { hour: { used: 300 } } });
    const other = await post({ ...literal, recipients: people("a") }, { as, headers });
    expect(refusal(other)).toEqual([409, "idempotency_key_reused"]);
  });

  test("a batch and a single e-mail with the same dedupe key at once are one e-mail", async () => {
    const as = await withPlan({});
    const recipients = Array.from({ length: 300 }, (_, n) => ({
      to: `p${n}@example.com`,
      dedupe_key: `order ${n}`,
    }));
    const [batch, single] = await Promise.all([
      sentBy(post({ ...literal, recipients }, { as })),
      house.call("POST /emails/send", {
        as,
        body: { ...literal, to: ["x@example.com"], dedupe_key: "order 7" },
      }),
    ]);
    const isSingleFirst = single.status === 202;
    expect(batch.emails).toHaveLength(isSingleFirst ? 299 : 300);
    expect(batch.skipped.map(({ code }) => code)).toEqual(isSingleFirst ? ["deduplicated"] : []);
    const listed = await house.call("GET /emails", { as });
    expect(listed.body.pagination).toMatchObject({ total: 300 });
  });

  test("batches require an API key, and only the sender's workspace can read them", async () => {
    const { batch_id: id } = await sentBy(post({ ...literal, recipients: people("a") }));
    const other = await withPlan({});
    expect(refusal(await house.call(`GET /emails/batches/${id}`, { as: other }))).toEqual([404, "not_found"]);
    expect(refusal(await house.call(`GET /emails/batches/${id}`, { as: house.owner }))).toEqual([
      401,
      "unauthenticated",
    ]);
    expect(refusal(await house.call("POST /emails/batch", { body: {} }))).toEqual([401, "unauthenticated"]);
  });
});
