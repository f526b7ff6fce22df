import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, refusal } from "./harness.ts";
import { house, logIn, newAddress, openRegistrationHouse } from "./open-registration.ts";
import { password } from "./start-server.ts";

// decisions §2, People and sessions
describe.each(engines)("accounts on $name", ({ open }) => {
  openRegistrationHouse(open);

  test("GET and PUT /users/me", async () => {
    const as = await house.logIn();
    expect((await house.call("GET /users/me", { as })).body.data).toMatchObject({
      id: as.userId,
      email: as.email,
    });
    const put = (body: unknown) => house.call("PUT /users/me", { as, body });
    expect((await put({ name: "Grace" })).body.data).toMatchObject({ id: as.userId, name: "Grace" });
    expect(refusal(await put({}))).toEqual([400, "validation_failed"]);
    for (const field of ["email", "is_admin", "email_verified", "id"])
      expect(faultyFields(await put({ name: "x", [field]: 1 }))).toEqual([400, [field]]);
  });

  test("DELETE /users/me {password}, and an administrator's DELETE /admin/users/{userId}", async () => {
    const as = await house.logIn();
    const remove = (body: object) => house.call("DELETE /users/me", { as, body });
    expect(faultyFields(await remove({}))).toEqual([400, ["password"]]);
    expect(faultyFields(await remove({ password: "not the password" }))).toEqual([400, ["password"]]);
    expect((await remove({ password })).status).toBe(200);
    expect(refusal(await house.call("GET /users/me", { as }))).toEqual([401, "unauthenticated"]);
    const { userId } = await house.logIn();
    const path = `DELETE /admin/users/${userId}`;
    expect(refusal(await house.call(path, { as: house.owner }))).toEqual([403, "administrator_required"]);
    expect((await house.call(path, { as: house.administrator })).status).toBe(200);
    const owning = `DELETE /admin/users/${house.owner.userId}`;
    expect(refusal(await house.call(owning, { as: house.administrator }))).toEqual([409, "owns_workspaces"]);
  });

  test("POST /admin/users: only an administrator creates users, including administrators", async () => {
    const as = house.administrator;
    const body = { name: "Eve", email: newAddress(), password };
    for (const other of [house.owner, house.admin])
      expect(refusal(await house.call("POST /admin/users", { as: other, body }))).toEqual([
        403,
        "administrator_required",
      ]);
    const made = await house.call("POST /admin/users", { as, body });
    const id = made.body.data?.["id"];
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { email: body.email, email_verified: true, is_admin: false, external_id: null },
    ]);
    expect((await house.call(`GET /admin/users/${id}`, { as })).body.data).toEqual(made.body.data);
    expect((await logIn(body.email)).status).toBe(200);
    expect(refusal(await house.call("POST /admin/users", { as, body }))).toEqual([409, "email_taken"]);
    const weak = { ...body, email: newAddress(), password: "short" };
    expect(faultyFields(await house.call("POST /admin/users", { as, body: weak }))).toEqual([
      400,
      ["password"],
    ]);
    const admin = { ...body, email: newAddress(), is_admin: true };
    expect((await house.call("POST /admin/users", { as, body: admin })).body.data).toMatchObject({
      is_admin: true,
    });
    expect(refusal(await house.call("GET /admin/users/999999", { as }))).toEqual([404, "not_found"]);
  });

  test("POST, DELETE /admin/users/{userId}/administrator: applies from the next request on, and never to oneself", async () => {
    const as = house.administrator;
    const person = await house.logIn();
    const rights = (method: string, userId: number, by = as) =>
      house.call(`${method} /admin/users/${userId}/administrator`, { as: by });
    expect(refusal(await rights("POST", person.userId, person))).toEqual([403, "administrator_required"]);
    expect((await rights("POST", person.userId)).body.data).toMatchObject({ is_admin: true });
    expect((await house.call("GET /admin/users", { as: person })).status).toBe(200);
    expect(refusal(await rights("DELETE", person.userId, person))).toEqual([403, "forbidden"]);
    expect((await rights("DELETE", person.userId)).body.data).toMatchObject({ is_admin: false });
    expect(refusal(await house.call("GET /admin/users", { as: person }))).toEqual([
      403,
      "administrator_required",
    ]);
    const events = await house.call("GET /admin/events?size=2", { as });
    expect(events.body.data).toMatchObject([
      { type: "user.demoted", user_id: person.userId, actor_id: as.userId },
      { type: "user.promoted", user_id: person.userId, actor_id: as.userId },
    ]);
  });

  test("two administrators who demote each other at once: one remains", async () => {
    for (let round = 0; round < 2; round += 1) {
      const pair = [await house.logIn({ admin: true }), await house.logIn({ admin: true })] as const;
      const demote = (userId: number, as: (typeof pair)[number]) =>
        house.call(`DELETE /admin/users/${userId}/administrator`, { as });
      const answers = await Promise.all([demote(pair[1].userId, pair[0]), demote(pair[0].userId, pair[1])]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    }
  });

  test("GET, DELETE /admin/users/{userId}/sessions: an administrator lists and ends any user's logins", async () => {
    const as = house.administrator;
    const person = await house.logIn();
    const path = `/admin/users/${person.userId}/sessions`;
    for (const method of ["GET", "DELETE"])
      expect(refusal(await house.call(`${method} ${path}`, { as: person }))).toEqual([
        403,
        "administrator_required",
      ]);
    const [session] = (await house.call(`GET ${path}`, { as })).body.data as unknown as { id: string }[];
    expect(session).toMatchObject({ revoked: false });
    const ended = await house.call(`DELETE ${path}`, { as });
    expect([ended.status, ended.body.data]).toMatchObject([200, { revoked: 1 }]);
    expect(refusal(await house.call("GET /users/me", { as: person }))).toEqual([401, "unauthenticated"]);
    expect((await house.call(`DELETE ${path}`, { as })).body.data).toMatchObject({ revoked: 0 });
    expect((await house.call(`GET ${path}`, { as })).body.data).toMatchObject([{ revoked: true }]);
  });

  test("PUT /admin/users|workspaces-by-external-id/{id} and /admin/users/{id}/external-id: an administrator's own ids", async () => {
    const as = house.administrator;
    const id = `crm/${house.owner.userId} é`;
    const path = (of: string) => `PUT /admin/${of}-by-external-id/${encodeURIComponent(id)}`;
    const edith = { name: "Edith", email: `edith${house.owner.userId}@example.com` };
    expect(refusal(await house.call(path("users"), { as: house.owner, body: edith }))).toEqual([
      403,
      "administrator_required",
    ]);
    const made = await house.call(path("users"), { as, body: edith });
    expect([made.status, made.body.data]).toMatchObject([
      200,
      { ...edith, external_id: id, email_verified: true },
    ]);
    const renamed = await house.call(path("users"), { as, body: { ...edith, name: "E" } });
    expect(renamed.body.data).toEqual({ ...made.body.data, name: "E" });
    const link = (userId: unknown, external_id: string) =>
      house.call(`PUT /admin/users/${userId}/external-id`, { as, body: { external_id } });
    expect(refusal(await link(house.owner.userId, id))).toEqual([409, "external_id_taken"]);
    expect(faultyFields(await link(house.owner.userId, "a\nb"))).toEqual([400, ["external_id"]]);
    expect((await link(made.body.data?.["id"], "another")).body.data).toMatchObject({
      external_id: "another",
    });
    const shop = await house.call(path("workspaces"), {
      as,
      body: { name: "Shop", user_id: made.body.data?.["id"] },
    });
    expect([shop.status, shop.body.data]).toMatchObject([200, { name: "Shop", external_id: id }]);
    const again = await house.call(path("workspaces"), { as, body: { name: "Shop" } });
    expect(again.body.data).toMatchObject({ id: shop.body.data?.["id"] });
    const { body } = await house.call("GET /admin/workspaces?q=Shop&size=1", { as });
    expect(body.data).toMatchObject([{ external_id: id, is_trusted: true }]);
  });

  test("PUT /users/me/password {current_password, password}: all other sessions are revoked", async () => {
    const as = await house.logIn();
    const other = { ...as, token: String((await logIn(as.email)).body.data?.["token"]) };
    const put = (current_password: string, text: string) =>
      house.call("PUT /users/me/password", { as, body: { current_password, password: text } });
    expect(faultyFields(await put("not the password", "another good passphrase"))).toEqual([
      400,
      ["current_password"],
    ]);
    expect(faultyFields(await put(password, "short"))).toEqual([400, ["password"]]);
    expect((await put(password, "another good passphrase")).status).toBe(200);
    expect((await house.call("GET /users/me", { as })).status).toBe(200);
    expect(refusal(await house.call("GET /users/me", { as: other }))).toEqual([401, "unauthenticated"]);
    expect((await logIn(as.email, "another good passphrase")).status).toBe(200);
  });
});
