import { randomUUID } from "node:crypto";
import { errorMessages } from "@posthorn/core/internal";
import { type Route, routes } from "@posthorn/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { exampleBody } from "./example-body.ts";
import { type As, type House, mailedToken, openHouse, refusal } from "./harness.ts";
import type { Login } from "./start-server.ts";

const none = {
  number: "999999",
  uuid: "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f",
  address: "nobody@nowhere.example",
};

/** A tenant with one thing of each kind. */
interface Tenant {
  owner: Login;
  workspace: number;
  key: string;
  /** Ids of its things, by the segment before the id in a path. */
  ids: Record<string, string>;
}

/** Returns the kind of thing that a path's parameter names. */
function thingOf(route: Route, param: string): string {
  const before = route.path
    .slice(0, route.path.indexOf(`{${param}}`))
    .split("/")
    .filter(Boolean);
  const thing = before.at(-1) ?? "";
  return thing === "activate" ? "versions" : thing;
}

// reliability.md, threat 1: an id of another tenant is answered exactly as one that does not exist
describe.each(engines)("isolation on $name", ({ open }) => {
  let house: House;
  let ours: Tenant;
  let theirs: Tenant;

  async function settle(name: string): Promise<Tenant> {
    const owner = await house.logIn();
    const workspace = await house.makeWorkspace(owner, name);
    const make = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await house.call(`POST /workspaces/current/${path}`, { as: owner, workspace, body });
      expect(answer.status).toBe(path.endsWith("test") ? 202 : 201);
      return answer.body.data as Record<string, unknown>;
    };
    const key = await house.makeKey({ workspace, as: owner });
    const template = await make("templates", { name: "t", html: "<p>x</p>" });
    const version = await make(`templates/${template["id"]}/versions`, { text: "y" });
    const webhook = await make("webhooks", { url: "https://hooks.example.com/", events: ["*"] });
    const delivery = await make(`webhooks/${webhook["id"]}/test`, {});
    const sent = await house.call("POST /emails/send", {
      as: key,
      body: { subject: "S", text: "T", to: ["a@example.com"], scheduled_at: "2030-01-02T00:00:00Z" },
    });
    const batch = await house.call("POST /emails/batch", {
      as: key,
      body: { subject: "S", text: "T", recipients: [{ to: "a@example.com" }] },
    });
    const uploaded = await house.call("POST /attachments?filename=a.txt", { as: key, body: "a" });
    const { id: invitation } = await make("invitations", { email: `guest@${name}.example`, role: "viewer" });
    const member = await house.logIn();
    const { storage, clock } = house.world;
    await storage.members.insert({
      workspaceId: workspace,
      userId: member.userId,
      role: "viewer",
      createdAt: clock.now(),
    });
    const reportId = randomUUID();
    await storage.reports.keep({
      id: reportId,
      workspaceId: workspace,
      kind: "notification",
      source: "dsn",
      emailId: undefined,
      effects: [],
      createdAt: clock.now(),
      digest: reportId,
      raw: "",
    });
    const sessions = await storage.sessions.list(member.userId, clock.now(), { offset: 0, limit: 1 });
    const ids = {
      members: member.userId,
      invitations: invitation,
      templates: template["id"],
      versions: version["id"],
      stylesheets: (await make("stylesheets", { name: "s", css: "p{}" }))["id"],
      webhooks: webhook["id"],
      deliveries: delivery["id"],
      domains: (await make("domains", { name: "shop.example" }))["id"],
      "smtp-servers": (await make("smtp-servers", { name: "relay", host: "mail.example.com" }))["id"],
      "api-keys": (await make("api-keys", { name: "k" }))["id"],
      "inbound-endpoints": (await make("inbound-endpoints", { provider: "ses" }))["id"],
      "inbound-reports": reportId,
      campaigns: (await make("campaigns", { name: "c", subject: "S", text: "T" }))["id"],
      suppressions: (await make("suppressions", { email: `gone@${name}.example` }))["email"],
      emails: sent.body.data?.["id"],
      batches: batch.body.data?.["batch_id"],
      attachments: uploaded.body.data?.["id"],
      sessions: sessions.items[0]?.id,
    };
    const texts = Object.entries(ids).map(([thing, id]) => [thing, String(id)]);
    return { owner, workspace, key, ids: Object.fromEntries(texts) as Record<string, string> };
  }

  beforeAll(async () => {
    house = await openHouse(open);
    ours = await settle("ours");
    theirs = await settle("theirs");
  });
  afterAll(() => house.close());

  const asUs = (route: Route): As => (route.access === "api_key" ? ours.key : ours.owner);
  /** Returns a response's text without the ids that the caller sent and the request's own. */
  async function answerTo(route: Route, ids: Record<string, string>) {
    const target = route.path.replace(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? "0");
    const body = exampleBody(route);
    const { status, text } = await house.call(`${route.method} ${target}`, {
      as: asUs(route),
      workspace: ours.workspace,
      ...(body === undefined ? {} : { body }),
    });
    let said = text.replace(/"request_id":"[^"]*"/, "");
    for (const id of Object.values(ids)) said = said.replaceAll(id, "ID");
    return { status, said };
  }

  // Administrators see everything; and an invitee has no workspace yet (see below).
  const tried = routes.filter(
    (route) =>
      Object.keys(route.params).length > 0 &&
      route.access !== "administrator" &&
      !route.path.startsWith("/invitations/") &&
      // The token in its path determines the workspace.
      !route.path.startsWith("/inbound/") &&
      // An address belongs to no tenant (see below).
      !route.path.startsWith("/workspaces/current/recipients/"),
  );

  test.each(tried.map((route) => [route.signature, route] as const))("%s", async (_, route) => {
    // A position among an e-mail's files belongs to no tenant.
    const params = Object.keys(route.params).filter((param) => param !== "position");
    const missingId = (param: string) => {
      const id = theirs.ids[thingOf(route, param)] ?? "";
      if (id.includes("@")) return none.address;
      return /^\d+$/.test(id) ? none.number : none.uuid;
    };
    // All combinations of own and foreign ids, except for all own ones.
    for (let mix = 1; mix < 2 ** params.length; mix += 1) {
      const pick = (of: (param: string) => string | undefined): Record<string, string> =>
        Object.fromEntries(
          params.map((param, at) => {
            const id = (mix >> at) % 2 === 1 ? of(param) : ours.ids[thingOf(route, param)];
            if (id === undefined) throw new TypeError(`no ${param} for ${route.signature}`);
            return [param, id];
          }),
        );
      const foreign = await answerTo(
        route,
        pick((param) => theirs.ids[thingOf(route, param)]),
      );
      const missing = await answerTo(route, pick(missingId));
      expect(foreign).toEqual(missing);
      expect(foreign.status).toBe(404);
      // It says what is missing.
      expect(foreign.said).not.toContain(errorMessages.not_found);
    }
  });

  test("an invitation to another user is refused, and stays pending", async () => {
    const token = await mailedToken(house, "guest@theirs.example", /invites/);
    const { invitations: id } = theirs.ids;
    for (const verb of ["accept", "decline"]) {
      const byId = await house.call(`POST /invitations/${id}/${verb}`, { as: ours.owner });
      const byToken = await house.call(`POST /invitations/${verb}`, { as: ours.owner, body: { token } });
      expect([refusal(byId), refusal(byToken)]).toEqual(Array(2).fill([403, "invitation_for_another_user"]));
    }
  });

  test("a recipient's data is exported only to the workspace that holds it", async () => {
    const ask = (of: Tenant) =>
      house.call("GET /workspaces/current/recipients/gone@theirs.example/export", {
        as: of.owner,
        workspace: of.workspace,
      });
    const [own, foreign] = [await ask(theirs), await ask(ours)];
    expect([own.status, own.text]).toEqual([200, expect.stringContaining("gone@theirs.example")]);
    expect(foreign.text).not.toContain("gone@theirs.example");
  });

  test("ids in bodies: a foreign template version, a foreign new owner", async () => {
    const send = (template_version_id: unknown) =>
      house.call("POST /emails/send-template", {
        as: ours.key,
        body: { template: "t", to: ["a@example.com"], template_version_id },
      });
    const transfer = (user_id: number) =>
      house.call("POST /workspaces/current/transfer-ownership", {
        as: ours.owner,
        workspace: ours.workspace,
        body: { user_id },
      });
    expect(refusal(await send(theirs.ids["versions"]))).toEqual([404, "not_found"]);
    expect(refusal(await transfer(Number(theirs.ids["members"])))).toEqual([404, "not_found"]);
    expect(refusal(await transfer(999_999))).toEqual([404, "not_found"]);
  });

  test.each<[string, string, (id: unknown) => object]>([
    ["attachments", "POST /emails/send", (id) => ({ attachments: [{ id }] })],
    ["smtp-servers", "POST /emails/send", (id) => ({ smtp_server_id: id })],
    ["versions", "POST /emails/batch", (id) => ({ template: "t", template_version_id: id })],
    ["attachments", "POST /workspaces/current/campaigns", (id) => ({ attachments: [{ id }] })],
    ["webhooks", "POST /workspaces/current/deliveries/{own}/redeliver", (id) => ({ webhook_id: id })],
  ])("ids in bodies: foreign %s in %s are answered as missing ones", async (thing, signature, fieldsOf) => {
    const isOfKey = signature.startsWith("POST /emails");
    const content = { subject: "S", text: "T" };
    const ask = async (id: string) => {
      const fields = fieldsOf(id);
      const needed = {
        ...("template" in fields ? {} : content),
        ...(signature.endsWith("/batch") ? { recipients: [{ to: "a@example.com" }] } : {}),
        ...(signature.endsWith("/send") ? { to: ["a@example.com"] } : {}),
        ...(signature.endsWith("/campaigns") ? { name: "c" } : {}),
      };
      const { status, text } = await house.call(signature.replace("{own}", ours.ids["deliveries"] ?? ""), {
        as: isOfKey ? ours.key : ours.owner,
        workspace: ours.workspace,
        body: signature.endsWith("/redeliver") ? fields : { ...needed, ...fields },
      });
      return [status, text.replace(/"request_id":"[^"]*"/, "").replaceAll(id, "ID")];
    };
    const [foreign, missing, own] = [
      await ask(theirs.ids[thing] ?? ""),
      await ask(none.uuid),
      await ask(ours.ids[thing] ?? ""),
    ];
    expect(foreign).toEqual(missing);
    expect(foreign[0]).not.toBe(own[0]);
  });

  test("filters of lists by a foreign id find nothing", async () => {
    const { batches, emails } = theirs.ids;
    for (const path of [
      `emails?batch_id=${batches}`,
      `inbound-reports?email_id=${emails}`,
      "emails?to=a@theirs.example",
    ]) {
      const { owner: as, workspace } = ours;
      const found = await house.call(`GET /workspaces/current/${path}`, { as, workspace });
      expect([path, found.status, found.body.data]).toEqual([path, 200, []]);
    }
  });

  test("the other tenant's data is unchanged", async () => {
    const { ids, owner, workspace, key } = theirs;
    for (const path of [
      `templates/${ids["templates"]}`,
      `templates/${ids["templates"]}/versions/${ids["versions"]}`,
      `stylesheets/${ids["stylesheets"]}`,
      `webhooks/${ids["webhooks"]}`,
    ]) {
      const { status, body } = await house.call(`GET /workspaces/current/${path}`, { as: owner, workspace });
      expect([path, status, body.data?.["updated_at"] === body.data?.["created_at"]]).toEqual([
        path,
        200,
        true,
      ]);
    }
    const email = await house.call(`GET /emails/${ids["emails"]}`, { as: key });
    expect(email.body.data?.["status"]).toBe("scheduled");
    const members = await house.call("GET /workspaces/current/members", { as: owner, workspace });
    expect(members.body.data?.map(({ role }) => role)).toEqual(["owner", "viewer"]);
    const suppressions = await house.call("GET /workspaces/current/suppressions", { as: owner, workspace });
    expect(suppressions.body.data?.map(({ email }) => email)).toEqual([ids["suppressions"]]);
    const invitations = await house.call("GET /workspaces/current/invitations", { as: owner, workspace });
    expect(invitations.body.data).toHaveLength(1);
    const keys = await house.call("GET /workspaces/current/api-keys", { as: owner, workspace });
    expect(keys.body.data).toHaveLength(2);
  });

  test("lists contain only the caller's own rows", async () => {
    const foreign = Object.values(theirs.ids).filter((id) => id.length > 30);
    const lists = routes.filter(
      (route) =>
        route.method === "GET" && Object.keys(route.params).length === 0 && route.access !== "administrator",
    );
    for (const route of lists) {
      const { status, text } = await house.call(route.signature, {
        as: asUs(route),
        workspace: ours.workspace,
      });
      expect([route.signature, foreign.filter((id) => text.includes(id))]).toEqual([route.signature, []]);
      expect(status).toBeLessThan(500);
    }
  });
});
