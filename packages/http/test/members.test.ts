import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { type House, mailedToken, openHouse, refusal } from "./harness.ts";
import type { Login } from "./start-server.ts";

// service.md, Members (JWT + workspace header)
describe.each(engines)("members on $name", ({ open }) => {
  let house: House;
  beforeEach(async () => {
    house = await openHouse(open);
  });
  afterEach(() => house.close());

  const setRole = (as: Login, userId: number | string, role: unknown) =>
    house.call(`PUT /workspaces/current/members/${userId}`, { as, body: { role } });
  const remove = (as: Login, userId: number) =>
    house.call(`DELETE /workspaces/current/members/${userId}`, { as });

  test("GET /workspaces/current/members → {data: [Member]}, for every role", async () => {
    for (const as of [house.owner, house.admin, house.editor, house.viewer]) {
      const { status, body } = await house.call("GET /workspaces/current/members", { as });
      expect(status).toBe(200);
      expect(body.data).toHaveLength(4);
      expect(body.data?.[0]).toEqual({
        id: expect.any(Number),
        user_id: house.owner.userId,
        name: expect.any(String),
        email: house.owner.email,
        role: "owner",
        created_at: "2030-01-01T12:00:00.000Z",
      });
    }
  });

  test("PUT …/members/{user_id} {role} → a message, and an e-mail to the member", async () => {
    const member = await house.join("viewer");
    const { status, body } = await setRole(house.admin, member.userId, "editor");
    expect([status, body]).toEqual([200, { data: { message: expect.stringContaining("editor") } }]);
    await house.world.posthorn.drain();
    const mail = house.world.mailer.inbox.find({ to: member.email, subject: /role/ });
    expect(mail?.text).toContain("from viewer to editor");
    const log = await house.call("GET /workspaces/current/audit-log", { as: house.owner });
    expect(log.body.data?.[0]).toMatchObject({ type: "member.role_updated", actor_id: house.admin.userId });
  });

  test("POST /admin/workspaces/{id}/members: an administrator adds an account at once; managers of the workspace invite", async () => {
    const person = await house.logIn();
    const path = `POST /admin/workspaces/${house.workspace}/members`;
    const body = { user_id: person.userId, role: "editor" };
    for (const as of [house.owner, house.admin, person])
      expect(refusal(await house.call(path, { as, body }))).toEqual([403, "administrator_required"]);
    const as = house.administrator;
    const added = await house.call(path, { as, body });
    expect([added.status, added.body.data]).toMatchObject([
      201,
      { user_id: person.userId, email: person.email, role: "editor" },
    ]);
    expect((await house.call("GET /workspaces/current/templates", { as: person })).status).toBe(200);
    await house.world.posthorn.drain();
    const mail = house.world.mailer.inbox.find({ to: person.email, subject: /You are now a member of/ });
    expect(mail?.text).toContain("with the role editor");
    const log = await house.call("GET /workspaces/current/audit-log", { as: house.owner });
    expect(log.body.data?.[0]).toMatchObject({ type: "member.added", actor_id: as.userId });
    const again = { ...body, role: "viewer" };
    expect(refusal(await house.call(path, { as, body: again }))).toEqual([409, "already_member"]);
    const owner = { user_id: house.stranger.userId, role: "owner" };
    expect(refusal(await house.call(path, { as, body: owner }))).toEqual([400, "owner_role_not_assignable"]);
    for (const [nowhere, more] of [
      ["POST /admin/workspaces/999999/members", {}],
      [path, { user_id: 999_999 }],
    ] as const)
      expect(refusal(await house.call(nowhere, { as, body: { ...body, ...more } }))).toEqual([
        404,
        "not_found",
      ]);
    // Not even an administrator has access to a workspace without being a member.
    expect(refusal(await house.call("GET /workspaces/current/members", { as }))).toEqual([
      403,
      "not_a_member",
    ]);
    expect((await house.call(`GET /admin/workspaces/${house.workspace}`, { as })).body.data).toMatchObject({
      id: house.workspace,
    });
  });

  test("the same account added twice at once is added once, and its pending invitation gets its usual answer", async () => {
    const person = await house.logIn();
    const invitation = await house.call("POST /workspaces/current/invitations", {
      as: house.owner,
      body: { email: person.email, role: "admin" },
    });
    const add = () =>
      house.call(`POST /admin/workspaces/${house.workspace}/members`, {
        as: house.administrator,
        body: { user_id: person.userId, role: "viewer" },
      });
    const statuses = (await Promise.all([add(), add(), add()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 409, 409]);
    const accept = `POST /invitations/${invitation.body.data?.["id"]}/accept`;
    expect(refusal(await house.call(accept, { as: person }))).toEqual([409, "already_member"]);
    const { body } = await house.call("GET /workspaces/current/members", { as: house.owner });
    expect(body.data).toContainEqual(expect.objectContaining({ user_id: person.userId, role: "viewer" }));
  });

  test("an admin may change and remove another admin", async () => {
    const member = await house.join("admin");
    expect((await setRole(house.admin, member.userId, "viewer")).status).toBe(200);
    expect((await setRole(house.admin, member.userId, "admin")).status).toBe(200);
    expect((await remove(house.admin, member.userId)).status).toBe(204);
  });

  test("assigning owner is a 400, and so is changing or removing the owner", async () => {
    for (const as of [house.owner, house.admin]) {
      expect(refusal(await setRole(as, house.viewer.userId, "owner"))).toEqual([
        400,
        "owner_role_not_assignable",
      ]);
      expect(refusal(await setRole(as, house.owner.userId, "viewer"))).toEqual([400, "owner_role_immutable"]);
      expect(refusal(await remove(as, house.owner.userId))).toEqual([400, "owner_not_removable"]);
    }
  });

  test("another role, none, and an unknown field are a 400", async () => {
    expect(refusal(await setRole(house.owner, house.viewer.userId, "chief"))).toEqual([
      400,
      "validation_failed",
    ]);
    expect(refusal(await setRole(house.owner, house.viewer.userId, undefined))).toEqual([
      400,
      "validation_failed",
    ]);
    const more = await house.call(`PUT /workspaces/current/members/${house.viewer.userId}`, {
      as: house.owner,
      body: { role: "viewer", workspace_id: 2 },
    });
    expect(more.body.error?.details).toEqual([{ path: "workspace_id", message: "is not a known field" }]);
  });

  test("editors and viewers manage no members, and nobody changes their own role", async () => {
    for (const as of [house.editor, house.viewer]) {
      expect(refusal(await setRole(as, house.admin.userId, "viewer"))).toEqual([403, "forbidden"]);
      expect(refusal(await remove(as, house.admin.userId))).toEqual([403, "forbidden"]);
    }
    expect(refusal(await setRole(house.admin, house.admin.userId, "viewer"))).toEqual([403, "forbidden"]);
  });

  test("a user who is no member is a 404", async () => {
    expect(refusal(await setRole(house.owner, house.stranger.userId, "viewer"))).toEqual([404, "not_found"]);
    expect(refusal(await remove(house.owner, 999_999))).toEqual([404, "not_found"]);
  });

  test("any member but the owner may leave, and loses access with the next request", async () => {
    const member = await house.join("viewer");
    expect((await remove(member, member.userId)).status).toBe(204);
    expect(refusal(await house.call("GET /workspaces/current/members", { as: member }))).toEqual([
      403,
      "not_a_member",
    ]);
  });

  test("a member removed or demoted during requests writes nothing afterwards", async () => {
    const member = await house.join("admin");
    const racing = Array.from({ length: 20 }, (_, at) =>
      house.call("POST /workspaces/current/stylesheets", {
        as: member,
        body: { name: `late ${at}`, css: "p{}" },
      }),
    );
    const gone = await remove(house.owner, member.userId);
    expect(gone.status).toBe(204);
    const before = await house.call("GET /workspaces/current/stylesheets?size=100", { as: house.owner });
    for (const { status } of await Promise.all(racing)) expect([201, 403]).toContain(status);
    const late = await house.call("POST /workspaces/current/stylesheets", {
      as: member,
      body: { name: "after", css: "p{}" },
    });
    expect(refusal(late)).toEqual([403, "not_a_member"]);
    const after = await house.call("GET /workspaces/current/stylesheets?size=100", { as: house.owner });
    expect(after.body.pagination?.["total"]).toBe(before.body.pagination?.["total"]);
  });

  test("removing an admin withdraws their open invitations", async () => {
    const member = await house.join("admin");
    const body = { email: "by-gone@example.com", role: "viewer" };
    await house.call("POST /workspaces/current/invitations", { as: member, body });
    const token = await mailedToken(house, body.email, /invites/);
    await remove(house.owner, member.userId);
    const answer = await house.call("POST /invitations/accept", { as: house.stranger, body: { token } });
    expect(refusal(answer)).toEqual([404, "not_found"]);
  });
});
