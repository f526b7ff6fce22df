import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

const limits = {
  daily_rate_limit: 0,
  hourly_rate_limit: 0,
  max_attachment_size_mb: 0,
  max_batch_size: 0,
  max_api_keys: 0,
  max_domains: 0,
  max_smtp_servers: 0,
  max_workspaces: 0,
  email_log_retention_days: 0,
};

// service.md, Plans (administrators); decisions §6
describe.each(engines)("plans on $name", ({ open }) => {
  let house: House;
  let count = 0;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  const admin = (signature: string, body?: unknown) =>
    house.call(signature, { as: house.administrator, ...(body === undefined ? {} : { body }) });
  const made = async (more: object = {}) => {
    const answer = await admin("POST /admin/plans", { name: `plan ${++count}`, ...more });
    expect(answer.status).toBe(201);
    return Number(answer.body.data?.["id"]);
  };
  const assign = (plan: number, workspace = house.workspace) =>
    admin(`POST /admin/workspaces/${workspace}/plan`, { plan_id: plan });
  const defaults = async () => {
    const { body } = await admin("GET /admin/plans");
    return body.data?.filter((plan) => plan["is_default"]).map(({ id }) => id);
  };

  test("with no plan everything is unlimited, and there is none to read", async () => {
    const own = await openHouse(open);
    onTestFinished(() => own.close());
    const answer = await own.call("GET /workspaces/current/plan", { as: own.viewer });
    expect(refusal(answer)).toEqual([404, "not_found"]);
    for (let at = 0; at < 3; at += 1) await own.makeKey();
  });

  test("POST /admin/plans {name, …} → the plan, every limit 0 by default", async () => {
    const { body } = await admin("POST /admin/plans", { name: "Free" });
    expect(body).toEqual({
      success: true,
      data: {
        id: expect.any(Number),
        name: "Free",
        description: "",
        is_default: false,
        is_active: true,
        ...limits,
        created_at: "2030-01-01T12:00:00.000Z",
        updated_at: "2030-01-01T12:00:00.000Z",
      },
    });
  });

  test("GET /admin/plans → all plans; GET /admin/plans/{id} → one", async () => {
    const id = await made({ max_domains: 3, description: "Three domains" });
    const { body } = await admin("GET /admin/plans");
    const listed = body.data?.find((plan) => plan["id"] === id);
    expect(listed).toMatchObject({ max_domains: 3, description: "Three domains" });
    expect((await admin(`GET /admin/plans/${id}`)).body).toEqual({ success: true, data: listed });
    expect(refusal(await admin("GET /admin/plans/999999"))).toEqual([404, "not_found"]);
  });

  test("PUT /admin/plans/{id}: any subset of fields, including is_active", async () => {
    const id = await made({ daily_rate_limit: 7 });
    const answer = await admin(`PUT /admin/plans/${id}`, { is_active: false, max_api_keys: 2 });
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { id, is_active: false, max_api_keys: 2, daily_rate_limit: 7 },
    ]);
    expect((await admin(`PUT /admin/plans/${id}`, { is_active: true })).body.data).toMatchObject({
      is_active: true,
    });
    expect(refusal(await admin(`PUT /admin/plans/${id}`, {}))).toEqual([400, "validation_failed"]);
    expect(refusal(await admin("PUT /admin/plans/999999", { name: "x" }))).toEqual([404, "not_found"]);
  });

  test("a name that exists is a 409, by POST and by PUT", async () => {
    await made({ name: "Taken" });
    const id = await made();
    expect(refusal(await admin("POST /admin/plans", { name: "Taken" }))).toEqual([409, "plan_name_taken"]);
    expect(refusal(await admin(`PUT /admin/plans/${id}`, { name: "Taken" }))).toEqual([
      409,
      "plan_name_taken",
    ]);
    expect(faultyFields(await admin("POST /admin/plans", {}))).toEqual([400, ["name"]]);
  });

  test.each(Object.keys(limits))("%s: a negative or fractional one is a 400", async (limit) => {
    for (const value of [-1, 1.5, "5", null, 1e12])
      expect(faultyFields(await admin("POST /admin/plans", { name: "bad", [limit]: value }))).toEqual([
        400,
        [limit],
      ]);
  });

  test("PATCH /admin/plans/{id}/default: it becomes the default, and the previous one is unset", async () => {
    const [one, two] = [await made(), await made()];
    expect((await admin(`PATCH /admin/plans/${one}/default`)).body.data).toMatchObject({
      id: one,
      is_default: true,
    });
    expect(await defaults()).toEqual([one]);
    await admin(`PATCH /admin/plans/${two}/default`);
    expect(await defaults()).toEqual([two]);
    const third = await made({ is_default: true });
    expect(await defaults()).toEqual([third]);
    expect(refusal(await admin("PATCH /admin/plans/999999/default"))).toEqual([404, "not_found"]);
    const inactive = await made({ is_active: false });
    expect(refusal(await admin(`PATCH /admin/plans/${inactive}/default`))).toEqual([
      400,
      "validation_failed",
    ]);
    expect(await defaults()).toEqual([third]);
  });

  test("the default plan can't be deleted or deactivated", async () => {
    const id = await made({ is_default: true });
    expect(refusal(await admin(`DELETE /admin/plans/${id}?force=true`))).toEqual([409, "default_plan"]);
    expect(refusal(await admin(`PUT /admin/plans/${id}`, { is_active: false }))).toEqual([
      409,
      "default_plan",
    ]);
  });

  test("DELETE …?force: 409 while it is assigned to workspaces; with force it is unassigned and deleted", async () => {
    await made({ is_default: true });
    const id = await made();
    expect((await assign(id)).status).toBe(200);
    await admin(`POST /admin/users/${house.owner.userId}/plan`, { plan_id: id });
    expect(refusal(await admin(`DELETE /admin/plans/${id}`))).toEqual([409, "plan_in_use"]);
    expect(refusal(await admin(`DELETE /admin/plans/${id}?force=false`))).toEqual([409, "plan_in_use"]);
    expect(faultyFields(await admin(`DELETE /admin/plans/${id}?force=yes`))).toEqual([400, ["force"]]);
    expect((await admin(`DELETE /admin/plans/${id}?force=true`)).status).toBe(200);
    expect(refusal(await admin(`GET /admin/plans/${id}`))).toEqual([404, "not_found"]);
    const plan = await admin(`GET /admin/workspaces/${house.workspace}/plan`);
    expect(plan.body.data).toMatchObject({ source: "default" });
    const free = await made();
    expect((await admin(`DELETE /admin/plans/${free}`)).status).toBe(200);
    expect(refusal(await admin(`DELETE /admin/plans/${free}`))).toEqual([404, "not_found"]);
  });

  test("POST and GET /admin/workspaces/{id}/plan, and {data: Plan} for the workspace's users", async () => {
    const fallback = await made({ is_default: true });
    const own = await made({ hourly_rate_limit: 9 });
    const answer = await assign(own);
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { workspace_id: house.workspace, plan_id: own, plan: { id: own, hourly_rate_limit: 9 } },
    ]);
    const read = await admin(`GET /admin/workspaces/${house.workspace}/plan`);
    expect(read.body.data).toMatchObject({ plan_id: own, source: "assigned", plan: { id: own } });
    const current = await house.call("GET /workspaces/current/plan", { as: house.viewer });
    expect(Object.keys(current.body)).toEqual(["data"]);
    expect(current.body.data).toMatchObject({ id: own, hourly_rate_limit: 9 });
    const workspace = await house.makeWorkspace(house.owner, "Unassigned");
    const other = await house.call("GET /workspaces/current/plan", { as: house.owner, workspace });
    expect(other.body.data).toMatchObject({ id: fallback });
    expect(refusal(await assign(999_999))).toEqual([404, "not_found"]);
    expect(refusal(await assign(own, 999_999))).toEqual([404, "not_found"]);
    expect(refusal(await admin("GET /admin/workspaces/999999/plan"))).toEqual([404, "not_found"]);
    expect(faultyFields(await admin(`POST /admin/workspaces/${workspace}/plan`, {}))).toEqual([
      400,
      ["plan_id"],
    ]);
  });

  test("POST and GET /admin/users/{id}/plan", async () => {
    const fallback = await made({ is_default: true });
    const own = await made({ max_workspaces: 1 });
    const path = `/admin/users/${house.stranger.userId}/plan`;
    expect((await admin(`GET ${path}`)).body.data).toMatchObject({ plan_id: fallback, source: "default" });
    const answer = await admin(`POST ${path}`, { plan_id: own });
    expect(answer.body.data).toMatchObject({
      user_id: house.stranger.userId,
      plan_id: own,
      plan: { id: own },
    });
    expect((await admin(`GET ${path}`)).body.data).toMatchObject({ plan_id: own, source: "assigned" });
    expect(refusal(await admin("GET /admin/users/999999/plan"))).toEqual([404, "not_found"]);
    expect(refusal(await admin("POST /admin/users/999999/plan", { plan_id: own }))).toEqual([
      404,
      "not_found",
    ]);
  });

  test("an inactive plan can't be assigned; existing assignments stay", async () => {
    const id = await made();
    await assign(id);
    await admin(`PUT /admin/plans/${id}`, { is_active: false });
    expect((await admin(`GET /admin/workspaces/${house.workspace}/plan`)).body.data).toMatchObject({
      plan_id: id,
    });
    const workspace = await house.makeWorkspace(house.owner, "Late");
    expect(faultyFields(await assign(id, workspace))).toEqual([400, ["plan_id"]]);
  });

  test.each([
    ["max_workspaces", 2],
    ["max_api_keys", 2],
  ])("%s: beyond it a 403 whose details have limit, value and use", async (limit, value) => {
    const plan = await made({ [limit]: value });
    const person = await house.logIn();
    const workspace = await house.makeWorkspace(person, "First");
    await assign(plan, workspace);
    await admin(`POST /admin/users/${person.userId}/plan`, { plan_id: plan });
    const add = () =>
      limit === "max_workspaces"
        ? house.call("POST /workspaces", { as: person, body: { name: "More" } })
        : house.call("POST /workspaces/current/api-keys", {
            as: person,
            workspace,
            body: { name: "More" },
          });
    const answers = await Promise.all(Array.from({ length: 4 }, add));
    const room = limit === "max_workspaces" ? value - 1 : value;
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused && refusal(refused)).toEqual([403, "plan_limit_reached"]);
    expect(refused?.body.error?.details).toEqual({ limit, value, used: value });
  });

  test("GET /admin/plans/{id}/holders lists assignments; DELETE …/plan restores the default", async () => {
    const as = house.administrator;
    const person = await house.logIn();
    const workspace = await house.makeWorkspace(person, "Held");
    const plan = await admin("POST /admin/plans", { name: "Holders" });
    const id = Number(plan.body.data?.["id"]);
    await admin(`POST /admin/workspaces/${workspace}/plan`, { plan_id: id });
    await admin(`POST /admin/users/${person.userId}/plan`, { plan_id: id });
    const holders = () => house.call(`GET /admin/plans/${id}/holders?size=1`, { as });
    const { body } = await holders();
    expect(body).toMatchObject({
      data: [{ kind: "workspace", id: workspace, name: "Held", email: null }],
      pagination: { total: 2, size: 1 },
    });
    const rest = await house.call(`GET /admin/plans/${id}/holders?after=${body.pagination?.["after"]}`, {
      as,
    });
    expect(rest.body.data).toMatchObject([{ kind: "user", id: person.userId, email: person.email }]);
    for (const path of [`/admin/workspaces/${workspace}/plan`, `/admin/users/${person.userId}/plan`]) {
      expect((await house.call(`DELETE ${path}`, { as })).status).toBe(204);
      // There is no plan to unassign: nothing changes, and nothing is logged.
      expect((await house.call(`DELETE ${path}`, { as })).status).toBe(204);
    }
    expect((await holders()).body.data).toEqual([]);
    const events = await house.call("GET /admin/events?size=2", { as });
    expect(events.body.data).toMatchObject([
      { type: "user.plan_assigned", metadata: expect.stringContaining('"to":null') },
      { type: "workspace.plan_assigned", workspace_id: workspace },
    ]);
    expect(refusal(await house.call("GET /admin/plans/999999/holders", { as }))).toEqual([404, "not_found"]);
    expect(refusal(await house.call("DELETE /admin/users/999999/plan", { as }))).toEqual([404, "not_found"]);
  });

  test("are for administrators only; a workspace's owner is refused", async () => {
    for (const signature of [
      "GET /admin/plans/1/holders",
      "DELETE /admin/workspaces/1/plan",
      "DELETE /admin/users/1/plan",
      "GET /admin/plans",
      "POST /admin/plans",
      "DELETE /admin/plans/1",
      "PATCH /admin/plans/1/default",
    ])
      expect(refusal(await house.call(signature, { as: house.owner }))).toEqual([
        403,
        "administrator_required",
      ]);
  });
});
