import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, refusal } from "./harness.ts";
import { house, idOf, key, openSendingHouse, plain, send, withPlan } from "./sending-house.ts";

// service.md, Sending with a template (API key); decisions §7
describe.each(engines)("sending on $name", ({ open }) => {
  openSendingHouse(open);

  const hour = 60 * 60_000;

  test("dedupe_key: a repeat returns the first e-mail, with 200 and a header that says so", async () => {
    const body = { subject: "S", text: "T", to: ["ada@example.com"], dedupe_key: "order 7" };
    const first = await house.call("POST /emails/send", { as: key, body });
    const again = await house.call("POST /emails/send", { as: key, body: { ...body, subject: "Other" } });
    expect([first.status, first.headers.get("posthorn-deduplicated")]).toEqual([202, null]);
    expect([again.status, again.headers.get("posthorn-deduplicated")]).toEqual([200, "true"]);
    expect(again.body.data).toMatchObject({ id: idOf(first), subject: "S" });
  });

  test("PATCH /emails/{id} and the routes for users: rescheduled, cancelled, retried", async () => {
    const body = { subject: "S", text: "T", to: ["ada@example.com"], scheduled_at: "2030-01-02T00:00:00Z" };
    const id = idOf(await house.call("POST /emails/send", { as: key, body }));
    const scheduled_at = "2030-01-03T00:00:00+01:00";
    const moved = await house.call(`PATCH /emails/${id}`, { as: key, body: { scheduled_at } });
    expect(moved.body.data).toMatchObject({ status: "scheduled", scheduled_at: "2030-01-02T23:00:00.000Z" });
    const path = `/workspaces/current/emails/${id}`;
    const now = await house.call(`PATCH ${path}`, { as: house.editor, body: { scheduled_at: null } });
    expect(now.body.data).toMatchObject({ status: "queued" });
    const viewed = await house.call(`PATCH ${path}`, { as: house.viewer, body: { scheduled_at: null } });
    expect(refusal(viewed)).toEqual([403, "forbidden"]);
    expect((await house.call(`POST ${path}/cancel`, { as: house.editor })).body.data).toMatchObject({
      status: "cancelled",
    });
    expect(refusal(await house.call(`POST ${path}/retry`, { as: house.editor }))).toEqual([
      409,
      "not_retryable",
    ]);
    expect(
      refusal(await house.call(`PATCH /emails/${id}`, { as: key, body: { scheduled_at: null } })),
    ).toEqual([409, "not_cancellable"]);
  });

  describe("Idempotency-Key", () => {
    const keyed = (value: string, more: object = {}) => send(more, { headers: { "idempotency-key": value } });

    test("the same key and body → the first answer again, and one e-mail", async () => {
      const first = await keyed("order-1");
      await house.world.posthorn.drain();
      const second = await keyed("order-1");
      expect([second.status, second.body.data]).toEqual([202, first.body.data]);
      const told = [first, second].map(({ headers }) => headers.get("idempotent-replayed"));
      expect(told).toEqual([null, "true"]);
      const { body } = await house.call("GET /emails?size=100", { as: key });
      expect(body.data?.filter(({ id }) => id === idOf(first))).toHaveLength(1);
    });

    test("the same key and another body → 409", async () => {
      await keyed("order-2");
      expect(refusal(await keyed("order-2", { to: ["eve@example.com"] }))).toEqual([
        409,
        "idempotency_key_reused",
      ]);
    });

    test("another API key can use the same one", async () => {
      const other = await house.makeKey();
      const first = await keyed("order-3");
      const second = await send({}, { as: other, headers: { "idempotency-key": "order-3" } });
      expect([second.status, idOf(second) === idOf(first)]).toEqual([202, false]);
    });

    test("fifty at once → one e-mail, fifty equal answers", async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => keyed("order-4", { tags: ["race"] })),
      );
      expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body.data)}`)).size).toBe(
        1,
      );
      const { body } = await house.call("GET /emails?size=100", { as: key });
      expect(body.data?.filter(({ tags }) => JSON.stringify(tags) === '["race"]')).toHaveLength(1);
    });

    test("fifty at once with two bodies → the winner's answers and 409s", async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => keyed("order-5", { tags: [at % 2 === 0 ? "even" : "odd"] })),
      );
      const accepted = answers.filter(({ status }) => status === 202);
      expect(new Set(accepted.map(idOf)).size).toBe(1);
      expect(accepted).toHaveLength(25);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(25);
    });

    test("is replayed even if the quota is used up since, or the template deleted", async () => {
      const { as, workspace } = await withPlan({ daily_rate_limit: 1 });
      const template = await house.call("POST /workspaces/current/templates", {
        as: house.owner,
        workspace,
        body: { name: "once", text: "x" },
      });
      const ask = () => send({ template: "once" }, { as, headers: { "idempotency-key": "k" } });
      const first = await ask();
      expect(first.status).toBe(202);
      expect(refusal(await plain({}, as))).toEqual([429, "rate_limited"]);
      expect((await ask()).body.data).toEqual(first.body.data);
      const path = `/workspaces/current/templates/${template.body.data?.["id"]}`;
      await house.call(`DELETE ${path}`, { as: house.owner, workspace });
      expect((await ask()).body.data).toEqual(first.body.data);
    });

    test("a refused request leaves its key free", async () => {
      expect((await keyed("order-6", { template: "nothing" })).status).toBe(404);
      expect((await keyed("order-6")).status).toBe(202);
    });

    test("is 1 to 255 characters", async () => {
      expect((await keyed("k".repeat(255))).status).toBe(202);
      expect(faultyFields(await keyed("k".repeat(256)))).toEqual([400, ["Idempotency-Key"]]);
    });

    test("is kept for 24 hours", async () => {
      const first = await keyed("order-7");
      const { clock } = house.world;
      clock.advance(25 * hour);
      const second = await keyed("order-7", { tags: ["late"] });
      clock.advance(-25 * hour);
      expect([second.status, idOf(second) === idOf(first)]).toEqual([202, false]);
    });
  });

  describe("quotas", () => {
    test.each([
      ["hourly_rate_limit", 3600, "2030-01-01T13:00:00.000Z"],
      ["daily_rate_limit", 43_200, "2030-01-02T00:00:00.000Z"],
    ])(
      "beyond %s: 429 with details, Retry-After and the RateLimit headers",
      async (limit, seconds, resetsAt) => {
        const { as } = await withPlan({ [limit]: 3 });
        expect((await plain({ to: ["a@example.com"], bcc: ["b@example.com"] }, as)).status).toBe(202);
        const over = await plain({ to: ["c@example.com", "d@example.com"] }, as);
        expect(refusal(over)).toEqual([429, "rate_limited"]);
        expect(over.body.error?.details).toEqual({ limit, value: 3, used: 2, resets_at: resetsAt });
        expect(over.headers.get("retry-after")).toBe(String(seconds));
        const length = limit === "hourly_rate_limit" ? 3600 : 86_400;
        expect(over.headers.get("ratelimit-policy")).toBe(`"${limit}";q=3;w=${length}`);
        expect(over.headers.get("ratelimit")).toBe(`"${limit}";r=1;t=${seconds}`);
        expect((await plain({}, as)).status).toBe(202);
        const { clock } = house.world;
        clock.advance(seconds * 1000);
        expect((await plain({}, as)).status).toBe(202);
        clock.advance(-seconds * 1000);
      },
    );

    test("a hundred at once with one left: one is accepted, round after round", async () => {
      const { as } = await withPlan({ hourly_rate_limit: 1 });
      const { clock } = house.world;
      const rounds = Number(process.env["ROUNDS"] ?? 2);
      for (let round = 0; round < rounds; round += 1) {
        const answers = await Promise.all(Array.from({ length: 100 }, () => plain({}, as)));
        const statuses = answers.map(({ status }) => status).toSorted();
        expect(statuses).toEqual([202, ...Array(99).fill(429)]);
        clock.advance(hour);
      }
      clock.advance(-rounds * hour);
    });

    test("test e-mails count too; 0 is unlimited", async () => {
      const { as, workspace } = await withPlan({ daily_rate_limit: 1 });
      const made = await house.call("POST /workspaces/current/templates", {
        as: house.owner,
        workspace,
        body: { name: "t", text: "x" },
      });
      const version = `/workspaces/current/templates/${made.body.data?.["id"]}/versions/${made.body.data?.["active_version_id"]}`;
      const body = { to: "a@example.com" };
      const tested = await house.call(`POST ${version}/test`, { as: house.owner, workspace, body });
      expect(tested.status).toBe(202);
      expect(refusal(await plain({}, as))).toEqual([429, "rate_limited"]);
    });
  });

  describe("the log", () => {
    const sixEntries = Array.from({ length: 6 }, (_, at) => `metadata[k${at}]=1`).join("&");

    test("GET /emails?status&to&template&from_date&to_date → paged from 0, newest first", async () => {
      const { as, workspace } = await withPlan({});
      const first = await plain({ to: ["one@example.com"] }, as);
      const later = await plain({ to: ["two@example.com"], scheduled_at: "2030-01-02T12:00:00Z" }, as);
      expect(later.body.data).toMatchObject({
        status: "scheduled",
        scheduled_at: "2030-01-02T12:00:00.000Z",
      });
      const list = async (query: string) => {
        const { body } = await house.call(`GET /emails?${query}`, { as });
        return body.data?.map(({ id }) => id);
      };
      expect(await list("")).toEqual([idOf(later), idOf(first)]);
      expect(await list("status=scheduled")).toEqual([idOf(later)]);
      expect(await list("to=one@example.com")).toEqual([idOf(first)]);
      expect(await list("template=receipt")).toEqual([]);
      expect(await list("from_date=2030-01-02")).toEqual([]);
      expect(await list("to_date=2030-01-01T12:00:01Z")).toHaveLength(2);
      expect(await list("page=1&size=1")).toEqual([idOf(first)]);
      const order = { tags: ["receipt"], metadata: { "a[b]": "é&=", order: 7 } };
      const tagged = await plain(order, as);
      expect(await list("tag=receipt")).toEqual([idOf(tagged)]);
      expect(await list("metadata[order]=7&metadata%5Ba%5Bb%5D%5D=%C3%A9%26%3D")).toEqual([idOf(tagged)]);
      expect(await list("metadata[order]=8&tag=receipt")).toEqual([]);
      await house.call(`POST /emails/${idOf(tagged)}/cancel`, { as });
      const page = await house.call("GET /workspaces/current/emails", { as: house.owner, workspace });
      expect(page.body.pagination).toEqual({ page: 0, size: 20, total: 3, total_pages: 1, after: null });
      // After a cursor, later items are not listed, and filters still apply.
      const before = await house.call("GET /emails?size=1&tag=receipt", { as });
      const walked = await house.call("GET /emails?size=2", { as });
      await plain({ to: ["new@example.com"] }, as);
      const rest = await house.call(`GET /emails?size=2&after=${walked.body.pagination?.["after"]}`, { as });
      expect([before.body.pagination?.["after"], walked.body.data?.length]).toEqual([null, 2]);
      expect(rest.body.data?.map(({ id }) => id)).toEqual([idOf(first)]);
      expect(rest.body.pagination).toEqual({ page: 0, size: 2, total: 3, total_pages: 2, after: null });
      const one = await house.call(`GET /workspaces/current/emails/${idOf(first)}`, {
        as: house.owner,
        workspace,
      });
      expect(one.body.data).toMatchObject({ id: idOf(first), recipients: [{ address: "one@example.com" }] });
      for (const bad of [
        "status=x",
        "page=-1",
        "size=101",
        "after=",
        "after=1.2",
        `after=${walked.body.pagination?.["after"]}&page=1`,
        "from_date=yesterday",
        "q=1",
        "metadata=x",
        "metadata[]=x",
        "metadata[__proto__]=x",
        "tag[a]=x",
        "metadata[a]=1&metadata[a]=2",
        sixEntries,
      ])
        expect(refusal(await house.call(`GET /emails?${bad}`, { as }))).toEqual([400, "validation_failed"]);
      const keyless = await house.call("GET /emails?metadata=x", { as });
      expect(keyless.body.error?.message).toBe("metadata: must name an entry: metadata[order]=7");
      const stranger = await house.call("GET /emails?metadata=x", { as: undefined });
      expect(refusal(stranger)).toEqual([401, "unauthenticated"]);
    });

    test("POST /emails/{id}/cancel only while it waits; then 409", async () => {
      const queued = await plain({ scheduled_at: "2030-01-02T12:00:00Z" });
      const cancel = (id: string) => house.call(`POST /emails/${id}/cancel`, { as: key });
      expect((await cancel(idOf(queued))).body.data).toMatchObject({ status: "cancelled" });
      expect(refusal(await cancel(idOf(queued)))).toEqual([409, "not_cancellable"]);
      const sent = await plain();
      await house.world.posthorn.drain();
      expect(refusal(await cancel(idOf(sent)))).toEqual([409, "not_cancellable"]);
      expect(refusal(await cancel("0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f"))).toEqual([404, "not_found"]);
    });

    test("another workspace's e-mail is a 404", async () => {
      const { as } = await withPlan({});
      const mine = idOf(await plain());
      expect(refusal(await house.call(`GET /emails/${mine}`, { as }))).toEqual([404, "not_found"]);
      expect(refusal(await house.call(`POST /emails/${mine}/cancel`, { as }))).toEqual([404, "not_found"]);
    });
  });
});
