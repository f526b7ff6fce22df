import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

const path = "/workspaces/current/webhooks";
const day = 24 * 60 * 60_000;

// service.md, Webhooks (JWT + workspace header), and Webhook deliveries; decisions §10
describe.each(engines)("webhooks on $name", ({ open }) => {
  let house: House;
  let workspace: number;
  let key: string;
  let count = 0;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  beforeEach(async () => {
    workspace = await house.makeWorkspace(house.owner, `Hooked ${++count}`);
    key = await house.makeKey({ workspace });
    house.world.http.posts.splice(0);
    house.world.http.answerWith();
  });
  afterAll(() => house.close());

  const owner = (signature: string, body?: unknown) =>
    house.call(signature, { as: house.owner, workspace, ...(body === undefined ? {} : { body }) });
  const made = async (more: object = {}) => {
    const url = `https://hooks.example.com/${++count}`;
    const { status, body } = await owner(`POST ${path}`, { url, events: ["*"], ...more });
    expect(status).toBe(201);
    return { id: String(body.data?.["id"]), secret: String(body.data?.["secret"]) };
  };
  const send = async (more: object = {}) => {
    const body = { subject: "S", text: "T", to: ["ada@example.com"], ...more };
    const { status, body: answer } = await house.call("POST /emails/send", { as: key, body });
    expect(status).toBe(202);
    await house.world.posthorn.drain();
    return String(answer.data?.["id"]);
  };

  test("POST {url, events, filters} → 201, the webhook with its signing secret", async () => {
    const answer = await owner(`POST ${path}`, {
      url: "https://hooks.example.com/a?b=c",
      events: ["email.sent", "email.failed"],
      filters: ["shop@example.com", "Example.org"],
    });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          url: "https://hooks.example.com/a?b=c",
          events: ["email.sent", "email.failed"],
          filters: ["shop@example.com", "example.org"],
          is_active: true,
          created_at: "2030-01-01T12:00:00.000Z",
          updated_at: "2030-01-01T12:00:00.000Z",
          secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
        },
      },
    ]);
  });

  test("GET lists them, GET …/{id} reads one, and neither shows the secret", async () => {
    const { id, secret } = await made();
    const list = await owner(`GET ${path}`);
    const one = await owner(`GET ${path}/${id}`);
    expect(list.body.data).toEqual([one.body.data]);
    expect([list.text, one.text].filter((text) => text.includes(secret))).toEqual([]);
    expect(refusal(await owner(`GET ${path}/0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f`))).toEqual([
      404,
      "not_found",
    ]);
  });

  test("DELETE …/{id} → deleted; no further delivery", async () => {
    const { id } = await made();
    expect((await owner(`DELETE ${path}/${id}`)).status).toBe(200);
    expect(refusal(await owner(`DELETE ${path}/${id}`))).toEqual([404, "not_found"]);
    await send();
    expect(house.world.http.posts).toEqual([]);
  });

  test("PUT …/{id} {url?, events?, filters?, is_active?}", async () => {
    const { id } = await made();
    const answer = await owner(`PUT ${path}/${id}`, { events: ["email.sent"], is_active: false });
    expect(answer.body.data).toMatchObject({ id, events: ["email.sent"], is_active: false });
    await send();
    expect(house.world.http.posts).toEqual([]);
    expect(refusal(await owner(`PUT ${path}/${id}`, {}))).toEqual([400, "validation_failed"]);
    expect(faultyFields(await owner(`PUT ${path}/${id}`, { secret: "x" }))).toEqual([400, ["secret"]]);
  });

  test.each([
    [{ url: "http://hooks.example.com/" }, "url"],
    [{ url: "https://127.0.0.1/" }, "url"],
    [{ url: "https://2130706433/" }, "url"],
    [{ url: "https://0x7f.1/" }, "url"],
    [{ url: "https://[::1]/" }, "url"],
    [{ url: "https://[::ffff:127.0.0.1]/" }, "url"],
    [{ url: "https://[::127.0.0.1]/" }, "url"],
    [{ url: "https://169.254.169.254/latest" }, "url"],
    [{ url: "https://10.0.0.1/" }, "url"],
    [{ url: "https://localhost/" }, "url"],
    [{ url: "https://localhost./" }, "url"],
    [{ url: "https://a.localhost/" }, "url"],
    [{ url: "https://hooks.internal/" }, "url"],
    [{ url: "https://user:pass@hooks.example.com/" }, "url"],
    [{ url: "https://hooks.example.com:25/" }, "url"],
    [{ url: "ftp://hooks.example.com/" }, "url"],
    [{ url: "hooks.example.com" }, "url"],
    [{ url: "" }, "url"],
    [{ url: 5 }, "url"],
    [{ events: [] }, "events"],
    [{ events: ["email.read"] }, "events.0"],
    [{ events: "email.sent" }, "events"],
    [{ filters: ["not a filter"] }, "filters.0"],
    [{ secret: "whsec_mine" }, "secret"],
    [{ is_active: false }, "is_active"],
  ])("POST %j is a 400 that names %s", async (more, field) => {
    const body = { url: "https://hooks.example.com/", events: ["email.sent"], ...more };
    expect(faultyFields(await owner(`POST ${path}`, body))).toEqual([400, [field]]);
  });

  test("a delivery is a POST with the documented payload, signed over the raw body in both formats", async () => {
    const { secret } = await made({ events: ["email.sent"] });
    const email_id = await send();
    const [post, ...more] = house.world.http.posts;
    expect(more).toEqual([]);
    expect(JSON.parse(post?.body ?? "")).toEqual({
      event: "email.sent",
      email_id,
      timestamp: "2030-01-01T12:00:00.000Z",
    });
    const headers = Object.fromEntries(
      Object.entries(post?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const digest = createHmac("sha256", secret)
      .update(post?.body ?? "")
      .digest("hex");
    expect(headers["x-service-signature"]).toBe(`sha256=${digest}`);
    expect(headers["x-service-event"]).toBe("email.sent");
    expect(headers["user-agent"]).toMatch(/^Posthorn\/\d/);
    expect(post?.timeoutMs).toBe(10_000);
    const [id = "", timestamp = "", signature = ""] = [
      headers["webhook-id"],
      headers["webhook-timestamp"],
      headers["webhook-signature"],
    ];
    const signedAt = new Date(house.world.clock.now());
    expect(timestamp).toBe(String(signedAt.getTime() / 1000));
    // The library compares the time with the real clock, which differs from the test's, so it signs, and the signatures
    // are compared.
    expect(new Webhook(secret).sign(id, signedAt, post?.body ?? "")).toBe(signature);
  });

  test("events and filters select what is delivered; no event more than once", async () => {
    await made({ events: ["email.queued"] });
    await made({ events: ["email.sent", "email.sent"] });
    await made({ events: ["*"], filters: ["shop@example.com"] });
    await send({ from: "other@example.com" });
    const told = house.world.http.posts.map(({ body }) => JSON.parse(body).event);
    expect(told.toSorted()).toEqual(["email.queued", "email.sent"]);
    house.world.http.posts.splice(0);
    await send({ from: "Shop <SHOP@example.com>" });
    expect(house.world.http.posts).toHaveLength(4);
  });

  test("any 2xx is success; a failure is retried 3 times at growing intervals, with the same id each time", async () => {
    await made({ events: ["email.sent"] });
    house.world.http.answerWith(() => ({ kind: "response", status: 500, body: "no", durationMs: 1 }));
    await send();
    const { clock } = house.world;
    const start = clock.now();
    const sent = [house.world.http.posts.length];
    // 5 s, 30 s and 180 s after one another, and not a second before; the world has no jitter.
    for (const seconds of [5, 30, 180])
      for (const ms of [seconds * 1000 - 1, 1]) {
        clock.advance(ms);
        await house.world.posthorn.drain();
        sent.push(house.world.http.posts.length);
      }
    expect(sent).toEqual([1, 1, 2, 2, 3, 3, 4]);
    clock.advance(day);
    await house.world.posthorn.drain();
    expect(house.world.http.posts).toHaveLength(4);
    expect(new Set(house.world.http.posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    clock.set(start);
  });

  test.each([0, 1])("the workspace's webhook_retry_count of %i is the number of retries", async (retries) => {
    await owner("PUT /workspaces/current/settings", { webhook_retry_count: retries });
    const { id } = await made({ events: ["email.sent"] });
    house.world.http.answerWith(() => ({ kind: "fault", fault: "connect", durationMs: 1 }));
    await send();
    const { clock } = house.world;
    for (let at = 0; at < 4; at += 1) {
      clock.advance(day);
      await house.world.posthorn.drain();
    }
    clock.advance(-4 * day);
    expect(house.world.http.posts).toHaveLength(1 + retries);
    const { body } = await owner(`GET ${path}/${id}/deliveries`);
    expect(body.data?.[0]).toMatchObject({ status: "failed", attempts: 1 + retries, error: "connect" });
  });

  test("GET …/deliveries is paged from 0; POST …/redeliver delivers again", async () => {
    const { id } = await made({ events: ["email.sent"] });
    house.world.http.answerWith(() => ({ kind: "response", status: 204, body: "", durationMs: 7 }));
    await send();
    const list = await owner(`GET ${path}/${id}/deliveries`);
    expect(list.body.pagination).toEqual({ page: 0, size: 20, total: 1, total_pages: 1, after: null });
    expect(list.body.data?.[0]).toMatchObject({
      event: "email.sent",
      status: "delivered",
      attempts: 1,
      response_status: 204,
      duration_ms: 7,
      error: "",
    });
    const delivery = list.body.data?.[0]?.["id"];
    const again = await owner(`POST ${path}/${id}/deliveries/${delivery}/redeliver`);
    expect([again.status, again.body.data]).toMatchObject([202, { id: delivery, status: "pending" }]);
    await house.world.posthorn.drain();
    expect(house.world.http.posts).toHaveLength(2);
    const missing = `POST ${path}/${id}/deliveries/0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f/redeliver`;
    expect(refusal(await owner(missing))).toEqual([404, "not_found"]);
    expect(refusal(await owner(`GET ${path}/${id}/deliveries?size=0`))).toEqual([400, "validation_failed"]);
  });

  test("a receiver's response is shown to managers only", async () => {
    const { storage, clock } = house.world;
    const viewer = house.viewer;
    await storage.members.insert({
      workspaceId: workspace,
      userId: viewer.userId,
      role: "viewer",
      createdAt: clock.now(),
    });
    const { id } = await made({ events: ["email.sent"] });
    house.world.http.answerWith(() => ({ kind: "response", status: 200, body: "<inner>", durationMs: 1 }));
    await send();
    const seen = async (as: typeof viewer) => {
      const { body } = await house.call(`GET ${path}/${id}/deliveries`, { as, workspace });
      return body.data?.[0]?.["response_body"];
    };
    expect([await seen(house.owner), await seen(viewer)]).toEqual(["<inner>", null]);
  });

  test("POST …/test sends webhook.test", async () => {
    const { id } = await made({ events: ["email.sent"] });
    expect((await owner(`POST ${path}/${id}/test`)).status).toBe(202);
    await house.world.posthorn.drain();
    expect(house.world.http.posts.map(({ body }) => JSON.parse(body).event)).toEqual(["webhook.test"]);
  });

  test("POST …/rotate-secret: the former one signs beside the new one for 24 hours", async () => {
    const { id, secret } = await made({ events: ["email.sent"] });
    const rotated = await owner(`POST ${path}/${id}/rotate-secret`);
    const next = String(rotated.body.data?.["secret"]);
    expect([rotated.status, next === secret]).toEqual([200, false]);
    await send();
    const { clock } = house.world;
    clock.advance(day);
    await send();
    clock.advance(-day);
    const [early, late] = house.world.http.posts;
    for (const post of [early, late]) {
      const digest = createHmac("sha256", next)
        .update(post?.body ?? "")
        .digest("hex");
      expect(post?.headers["X-Service-Signature"]).toBe(`sha256=${digest}`);
    }
    expect(early?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(late?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  });

  test("a 410 disables it, records an event and e-mails the owner", async () => {
    const { id } = await made({ events: ["email.sent"] });
    house.world.http.answerWith(() => ({ kind: "response", status: 410, body: "", durationMs: 1 }));
    await send();
    expect((await owner(`GET ${path}/${id}`)).body.data).toMatchObject({ is_active: false });
    await house.world.posthorn.drain();
    expect(house.world.mailer.inbox.find({ to: house.owner.email, subject: /disabled/ })).toBeDefined();
  });

  test("editors and viewers can read webhooks, but not change them", async () => {
    for (const as of [house.editor, house.viewer]) {
      expect((await house.call(`GET ${path}`, { as })).status).toBe(200);
      const body = { url: "https://hooks.example.com/", events: ["*"] };
      expect(refusal(await house.call(`POST ${path}`, { as, body }))).toEqual([403, "forbidden"]);
    }
  });
});
