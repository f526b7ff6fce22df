import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";
import { password } from "./start-server.ts";

// service.md, Audit logs and events; decisions §11
describe.each(engines)("audit logs and events on $name", ({ open }) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  const path = "/workspaces/current/audit-log";
  const makePlan = (name: string) =>
    house.call("POST /admin/plans", { as: house.administrator, body: { name } });

  describe("GET /workspaces/current/audit-log?page&size&category", () => {
    test("lists this workspace's events of the category audit, paged, newest first", async () => {
      await house.call("PUT /workspaces/current", { as: house.admin, body: { name: "Acme & Co" } });
      const { status, body } = await house.call(`GET ${path}`, { as: house.owner });
      expect(status).toBe(200);
      expect(body.pagination).toMatchObject({ page: 0, size: 20 });
      expect(body.data?.[0]).toEqual({
        id: expect.any(Number),
        category: "audit",
        type: "workspace.updated",
        workspace_id: house.workspace,
        user_id: null,
        actor_id: house.admin.userId,
        actor_name: expect.any(String),
        client_ip: expect.stringContaining("127.0.0.1"),
        message: expect.stringContaining("changed the workspace"),
        metadata: JSON.stringify({ changes: { name: { from: "Acme", to: "Acme & Co" } } }),
        created_at: "2030-01-01T12:00:00.000Z",
      });
    });

    test("pages count from 0; size is 1 to 100; category filters; anything else is a 400", async () => {
      const ids = async (query: string) =>
        (await house.call(`GET ${path}?${query}`, { as: house.owner })).body.data?.map(({ id }) =>
          Number(id),
        ) ?? [];
      for (let at = 0; at < 3; at += 1) await house.makeKey();
      const all = await ids("size=100");
      expect(all).toEqual(all.toSorted((a, b) => b - a));
      expect(await ids("page=0&size=2")).toEqual(all.slice(0, 2));
      expect(await ids("page=1&size=2")).toEqual(all.slice(2, 4));
      expect(await ids("category=audit&size=100")).toEqual(all);
      expect(await ids("category=email")).toEqual([]);
      for (const bad of [
        "page=-1",
        "size=0",
        "size=101",
        "category=secret",
        "category=",
        "sort=id",
        "page=0&page=1",
      ])
        expect(refusal(await house.call(`GET ${path}?${bad}`, { as: house.owner }))).toEqual([
          400,
          "validation_failed",
        ]);
    });

    test("is for owners and admins only, and for this workspace only", async () => {
      for (const as of [house.editor, house.viewer])
        expect(refusal(await house.call(`GET ${path}`, { as }))).toEqual([403, "forbidden"]);
      const workspace = await house.makeWorkspace(house.stranger, "Elsewhere");
      const { body } = await house.call(`GET ${path}`, { as: house.stranger, workspace });
      expect(body.data?.map(({ type }) => type)).toEqual(["workspace.created"]);
    });

    test("a refused change records no event", async () => {
      const count = async () =>
        (await house.call(`GET ${path}`, { as: house.owner })).body.pagination?.["total"];
      const before = await count();
      await house.call("PUT /workspaces/current/settings", { as: house.viewer, body: { timezone: "UTC" } });
      await house.call("PUT /workspaces/current/settings", {
        as: house.owner,
        body: { timezone: "Nowhere" },
      });
      await house.call("DELETE /workspaces/current", { as: house.owner, body: { name: "wrong" } });
      expect(await count()).toBe(before);
    });
  });

  test("GET /users/me/audit-log → the caller's own security events, without a workspace header", async () => {
    await house.call("POST /auth/login", { body: { email: house.viewer.email, password } });
    const { status, body } = await house.call("GET /users/me/audit-log?page=0&size=5", { as: house.viewer });
    expect([status, body.pagination?.["size"]]).toEqual([200, 5]);
    expect(body.data?.length).toBeGreaterThan(0);
    for (const event of body.data ?? [])
      expect(event).toMatchObject({ user_id: house.viewer.userId, workspace_id: null, category: "audit" });
  });

  test("GET /admin/events?page&size&category → the platform's events, for administrators", async () => {
    const key = await house.makeKey();
    await house.call("POST /emails/send", {
      as: key,
      body: { subject: "S", text: "T", to: ["a@example.com"] },
    });
    const events = (query: string) => house.call(`GET /admin/events?${query}`, { as: house.administrator });
    const emails = await events("category=email");
    expect(emails.body.data?.[0]).toMatchObject({ category: "email", type: "email.queued" });
    expect(new Set(emails.body.data?.map(({ category }) => category))).toEqual(new Set(["email"]));
    expect((await events("page=0&size=1")).body.pagination).toMatchObject({ page: 0, size: 1 });
    expect(faultyFields(await events("category=x"))).toEqual([400, ["category"]]);
    expect(refusal(await house.call("GET /admin/events", { as: house.owner }))).toEqual([
      403,
      "administrator_required",
    ]);
  });

  describe("GET /admin/events/stream?token=<JWT>", () => {
    const streamPath = "/api/v1/admin/events/stream";

    /** Reads messages until there are that many. */
    async function read(
      query: string,
      count: number,
      headers: Record<string, string> = {},
      ready = () => {},
    ) {
      const abort = new AbortController();
      const response = await fetch(`${house.url}${streamPath}?${query}`, { headers, signal: abort.signal });
      const messages: EventSourceMessage[] = [];
      const parser = createParser({ onEvent: (message) => messages.push(message), onComment: () => ready() });
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        parser.feed(decoder.decode(chunk, { stream: true }));
        if (messages.length >= count) break;
      }
      abort.abort();
      return messages.map(({ id, event, data }) => ({
        id,
        event,
        data: JSON.parse(data) as Record<string, unknown>,
      }));
    }

    test("sends each event as JSON data with its id and no event line; category filters", async () => {
      const key = await house.makeKey();
      let making: Promise<unknown> | undefined;
      const make = () => {
        making ??= (async () => {
          const { body } = await makePlan("Streamed");
          await house.call("POST /emails/send", {
            as: key,
            body: { subject: "S", text: "T", to: ["a@example.com"] },
          });
          return body;
        })();
      };
      const [all, emails] = await Promise.all([
        read(`token=${house.administrator.token}`, 1, {}, make),
        read(`token=${house.administrator.token}&category=email`, 1, {}, make),
      ]);
      await making;
      expect(all[0]).toMatchObject({
        event: undefined,
        data: { category: expect.any(String), id: expect.any(Number) },
      });
      expect(all[0]?.id).toBe(String(all[0]?.data["id"]));
      expect(emails[0]?.data).toMatchObject({ category: "email", type: "email.queued" });
    });

    test("resumes after Last-Event-ID without a gap, in the same form as the log", async () => {
      for (let at = 0; at < 5; at += 1) await makePlan(`Gap ${at}`);
      const log = await house.call("GET /admin/events?size=5", { as: house.administrator });
      const ids = log.body.data?.map(({ id }) => Number(id)).toReversed() ?? [];
      const messages = await read(`token=${house.administrator.token}`, 5, {
        "last-event-id": String((ids[0] ?? 0) - 1),
      });
      expect(messages.map(({ id }) => Number(id))).toEqual(ids);
      expect(messages.map(({ data }) => data).toReversed()).toEqual(log.body.data);
    });

    test("refuses requests without a token, with a bad one, and users who are no administrators", async () => {
      const ask = (query: string) => house.ask(`GET ${streamPath}${query}`);
      expect(refusal(await ask(""))).toEqual([401, "unauthenticated"]);
      expect(refusal(await ask("?token=x"))).toEqual([401, "unauthenticated"]);
      expect(refusal(await ask(`?token=${house.owner.token}`))).toEqual([403, "administrator_required"]);
      expect(refusal(await ask(`?token=${house.administrator.token}&category=x`))).toEqual([
        400,
        "validation_failed",
      ]);
      expect(refusal(await ask(`?token=a&token=${house.administrator.token}`))).toEqual([
        400,
        "validation_failed",
      ]);
    });

    test("the token in the query is accepted by no other route", async () => {
      for (const path of ["/users/me", "/admin/events", "/admin/plans"]) {
        const { status } = await house.ask(`GET ${path}?token=${house.administrator.token}`);
        expect(status).toBe(401);
      }
    });
  });

  test("every kind of change records exactly one event", async () => {
    const as = house.owner;
    const workspace = await house.makeWorkspace(as, "Logged");
    const log = async () => {
      const { body } = await house.call(`GET ${path}?size=100`, { as, workspace });
      return (body.data ?? []).map(({ type }) => String(type)).toReversed();
    };
    const call = async (signature: string, body?: unknown) => {
      const answer = await house.call(signature, { as, workspace, ...(body === undefined ? {} : { body }) });
      expect(answer.status, `${signature} ${answer.text}`).toBeLessThan(300);
      return answer.body.data ?? ({} as NonNullable<typeof answer.body.data>);
    };
    const current = "/workspaces/current";
    const template = await call(`POST ${current}/templates`, { name: "t", text: "x" });
    const templatePath = `${current}/templates/${template["id"]}`;
    await call(`PUT ${templatePath}`, { description: "d" });
    const version = await call(`POST ${templatePath}/versions`, { text: "y" });
    await call(`PUT ${templatePath}/versions/${version["id"]}`, { text: "z" });
    await call(`POST ${templatePath}/activate/${version["id"]}`);
    await call(`DELETE ${templatePath}/versions/${template["active_version_id"]}`);
    await call(`DELETE ${templatePath}`);
    const sheet = await call(`POST ${current}/stylesheets`, { name: "s", css: "p{}" });
    await call(`PUT ${current}/stylesheets/${sheet["id"]}`, { name: "s2" });
    await call(`DELETE ${current}/stylesheets/${sheet["id"]}`);
    const hook = await call(`POST ${current}/webhooks`, { url: "https://hooks.example.com/", events: ["*"] });
    await call(`PUT ${current}/webhooks/${hook["id"]}`, { is_active: false });
    await call(`POST ${current}/webhooks/${hook["id"]}/rotate-secret`);
    await call(`DELETE ${current}/webhooks/${hook["id"]}`);
    const key = await call(`POST ${current}/api-keys`, { name: "k" });
    await call(`DELETE ${current}/api-keys/${key["id"]}`);
    await call(`PUT ${current}/settings`, { timezone: "Asia/Tokyo" });
    const invitation = await call(`POST ${current}/invitations`, {
      email: "log@example.com",
      role: "viewer",
    });
    await call(`DELETE ${current}/invitations/${invitation["id"]}`);
    await call(`PUT ${current}`, { name: "Logged well" });
    expect(await log()).toEqual([
      "workspace.created",
      "template.created",
      "template.updated",
      "template_version.created",
      "template_version.updated",
      "template_version.activated",
      "template_version.deleted",
      "template.deleted",
      "stylesheet.created",
      "stylesheet.updated",
      "stylesheet.deleted",
      "webhook.created",
      "webhook.updated",
      "webhook.secret_rotated",
      "webhook.deleted",
      "apikey.created",
      "apikey.revoked",
      "settings.updated",
      "invitation.created",
      "invitation.cancelled",
      "workspace.updated",
    ]);
  });
});
