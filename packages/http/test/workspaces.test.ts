import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

// decisions §2, Workspaces; §8, API keys
describe.each(engines)("workspaces and keys on $name", ({ open }) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  describe("workspaces", () => {
    test("POST /workspaces {name} → 201; the creator is its owner", async () => {
      const answer = await house.call("POST /workspaces", { as: house.stranger, body: { name: "Mine" } });
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          success: true,
          data: {
            id: expect.any(Number),
            name: "Mine",
            role: "owner",
            created_at: "2030-01-01T12:00:00.000Z",
            updated_at: "2030-01-01T12:00:00.000Z",
          },
        },
      ]);
      expect(faultyFields(await house.call("POST /workspaces", { as: house.owner, body: {} }))).toEqual([
        400,
        ["name"],
      ]);
      const more = await house.call("POST /workspaces", { as: house.owner, body: { name: "x", plan_id: 1 } });
      expect(faultyFields(more)).toEqual([400, ["plan_id"]]);
    });

    test("GET /workspaces → the caller's, with their role, newest first, paged from 0", async () => {
      const { body } = await house.call("GET /workspaces", { as: house.editor });
      expect(body.pagination).toEqual({ page: 0, size: 20, total: 1, total_pages: 1, after: null });
      expect(body.data).toMatchObject([{ id: house.workspace, role: "editor" }]);
    });

    test("GET and PUT /workspaces/current", async () => {
      const read = await house.call("GET /workspaces/current", { as: house.viewer });
      expect(read.body.data).toMatchObject({ id: house.workspace, name: "Acme", role: "viewer" });
      const put = (as: typeof house.owner, body: unknown) =>
        house.call("PUT /workspaces/current", { as, body });
      expect((await put(house.admin, { name: "Acme" })).status).toBe(200);
      expect(refusal(await put(house.admin, {}))).toEqual([400, "validation_failed"]);
      expect(refusal(await put(house.editor, { name: "x" }))).toEqual([403, "forbidden"]);
    });

    test("POST …/transfer-ownership {user_id}: that member becomes owner and the caller admin, at once", async () => {
      const [owner, heir] = [await house.logIn(), await house.logIn()];
      const workspace = await house.makeWorkspace(owner, "Handed over");
      const { storage, clock } = house.world;
      await storage.members.insert({
        workspaceId: workspace,
        userId: heir.userId,
        role: "viewer",
        createdAt: clock.now(),
      });
      const transfer = (as: typeof owner, userId: unknown) =>
        house.call("POST /workspaces/current/transfer-ownership", {
          as,
          workspace,
          body: { user_id: userId },
        });
      expect(refusal(await transfer(heir, heir.userId))).toEqual([403, "forbidden"]);
      expect(refusal(await transfer(owner, house.stranger.userId))).toEqual([404, "not_found"]);
      expect(faultyFields(await transfer(owner, owner.userId))).toEqual([400, ["user_id"]]);
      expect(faultyFields(await transfer(owner, "1"))).toEqual([400, ["user_id"]]);
      expect((await transfer(owner, heir.userId)).body.data).toMatchObject({ id: workspace, role: "admin" });
      const { body } = await house.call("GET /workspaces/current/members", { as: heir, workspace });
      expect(body.data?.map((member) => [member["user_id"], member["role"]])).toEqual([
        [owner.userId, "admin"],
        [heir.userId, "owner"],
      ]);
    });

    test("DELETE /workspaces/current {name}: the owner, confirming with its name", async () => {
      const workspace = await house.makeWorkspace(house.owner, "Doomed");
      const key = await house.makeKey({ workspace });
      const remove = (as: typeof house.owner, name: unknown) =>
        house.call("DELETE /workspaces/current", { as, workspace, body: { name } });
      expect(faultyFields(await remove(house.owner, "doomed"))).toEqual([400, ["name"]]);
      expect(
        refusal(await house.call("DELETE /workspaces/current", { as: house.admin, body: { name: "Acme" } })),
      ).toEqual([403, "forbidden"]);
      expect((await remove(house.owner, "Doomed")).status).toBe(200);
      const after = await house.call("GET /workspaces/current", { as: house.owner, workspace });
      expect(refusal(after)).toEqual([403, "not_a_member"]);
      expect(refusal(await house.call("GET /emails", { as: key }))).toEqual([401, "unauthenticated"]);
    });

    test("GET /admin/workspaces and /admin/users: paged, ?q=, for administrators", async () => {
      await house.makeWorkspace(house.owner, "Needle & thread");
      const found = await house.call("GET /admin/workspaces?q=needle", { as: house.administrator });
      expect(found.body.data).toMatchObject([{ name: "Needle & thread" }]);
      const percent = await house.call("GET /admin/workspaces?q=%25", { as: house.administrator });
      expect(percent.body.data).toEqual([]);
      const users = await house.call(`GET /admin/users?q=${encodeURIComponent(house.viewer.email)}`, {
        as: house.administrator,
      });
      expect(users.body.data).toMatchObject([{ id: house.viewer.userId, is_admin: false }]);
      for (const signature of ["GET /admin/workspaces", "GET /admin/users"])
        expect(refusal(await house.call(signature, { as: house.owner }))).toEqual([
          403,
          "administrator_required",
        ]);
    });

    test("/workspaces/current/* without a valid header is a 400; with a foreign or missing workspace a 403", async () => {
      for (const workspace of ["", "0", "-1", "1,2", "1e3", "0x1", "abc", "99999999999999999999"]) {
        const answer = await house.call("GET /workspaces/current", { as: house.owner, workspace });
        expect([workspace, ...refusal(answer)]).toEqual([workspace, 400, "workspace_required"]);
      }
      const foreign = await house.call("GET /workspaces/current", {
        as: house.stranger,
        workspace: house.workspace,
      });
      const none = await house.call("GET /workspaces/current", {
        as: house.stranger,
        workspace: 9_007_199_254_740_991,
      });
      expect(refusal(foreign)).toEqual([403, "not_a_member"]);
      expect(none.body.error).toEqual(foreign.body.error);
    });
  });

  describe("API keys", () => {
    const keys = "/workspaces/current/api-keys";
    const create = (body: unknown, as = house.admin) => house.call(`POST ${keys}`, { as, body });

    test("POST {name, expires_in_days?} → 201 with the key, shown once; 90 days by default", async () => {
      const answer = await create({ name: "server" });
      expect([answer.status, answer.body.data]).toEqual([
        201,
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: "server",
          prefix: expect.stringMatching(/^sk_\w{5,8}$/),
          created_by: house.admin.userId,
          created_at: "2030-01-01T12:00:00.000Z",
          expires_at: "2030-04-01T12:00:00.000Z",
          last_used_at: null,
          key: expect.stringMatching(/^sk_\w{40}$/),
        },
      ]);
      const key = String(answer.body.data?.["key"]);
      for (const as of [house.owner, house.viewer]) {
        const list = await house.call(`GET ${keys}`, { as });
        expect([list.status, list.text.includes(key)]).toEqual([200, false]);
      }
      const log = await house.call("GET /workspaces/current/audit-log?size=100", { as: house.owner });
      expect([log.text.includes(key), log.body.data?.[0]?.["type"]]).toEqual([false, "apikey.created"]);
    });

    test("expires_in_days: 0 means never; a negative, fractional or huge one is a 400", async () => {
      expect((await create({ name: "k", expires_in_days: 0 })).body.data?.["expires_at"]).toBeNull();
      for (const days of [-1, 1.5, "5", 1e9])
        expect(faultyFields(await create({ name: "k", expires_in_days: days }))).toEqual([
          400,
          ["expires_in_days"],
        ]);
    });

    test("DELETE …/{id} revokes it at once", async () => {
      const made = await create({ name: "gone" });
      const key = String(made.body.data?.["key"]);
      expect((await house.call("GET /emails", { as: key })).status).toBe(200);
      const path = `${keys}/${made.body.data?.["id"]}`;
      expect((await house.call(`DELETE ${path}`, { as: house.admin })).status).toBe(200);
      expect(refusal(await house.call("GET /emails", { as: key }))).toEqual([401, "unauthenticated"]);
      expect(refusal(await house.call(`DELETE ${path}`, { as: house.admin }))).toEqual([404, "not_found"]);
    });

    test("an expired key gets an error code of its own", async () => {
      const key = String((await create({ name: "short", expires_in_days: 1 })).body.data?.["key"]);
      house.world.clock.advance(86_400_000);
      const answer = await house.call("GET /emails", { as: key });
      house.world.clock.advance(-86_400_000);
      expect(refusal(answer)).toEqual([401, "api_key_expired"]);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    });

    test("editors and viewers can read keys, but not create or revoke them", async () => {
      for (const as of [house.editor, house.viewer]) {
        expect(refusal(await create({ name: "x" }, as))).toEqual([403, "forbidden"]);
        const path = `DELETE ${keys}/0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f`;
        expect(refusal(await house.call(path, { as }))).toEqual([403, "forbidden"]);
      }
    });
  });
});
