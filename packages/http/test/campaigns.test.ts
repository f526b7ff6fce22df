import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, test } from "vitest";
import { openHouse, refusal } from "./harness.ts";

test("a campaign is made, filled, checked, started once and cancelled over HTTP", async () => {
  const house = await openHouse(() => createSqliteStorage({ filename: ":memory:" }));
  const { owner: as, workspace } = house;
  const call = (signature: string, body?: object) =>
    house.call(signature, { as, workspace, ...(body === undefined ? {} : { body }) });
  const path = "/workspaces/current/campaigns";

  const made = await call(`POST ${path}`, {
    name: "Spring",
    subject: "{{name}}",
    text: "x",
    pace: { per_second: 0.1 },
    recipients: [{ to: "ada@example.com", template_data: { name: "Ada" } }],
  });
  expect(made.status).toBe(201);
  expect(made.body.data).toMatchObject({
    name: "Spring",
    status: "draft",
    pace: { per_second: 0.1, per_hour: null },
    recipients: 1,
    counts: { pending: 1, sent: 0 },
  });
  const one = `${path}/${made.body.data?.["id"]}`;
  const added = await call(`POST ${one}/recipients`, {
    recipients: [{ to: "ADA@example.com" }, { to: "bob@example.com", template_data: { name: "Bob" } }],
  });
  expect(added.body.data).toEqual({ added: 1, duplicates: 1 });
  expect((await call(`POST ${one}/check`)).body.data).toMatchObject({
    recipients: 2,
    missing: [],
    reasons: [],
  });
  expect((await call(`POST ${one}/start`)).body.data).toMatchObject({ status: "running" });
  expect(refusal(await call(`POST ${one}/start`))).toEqual([409, "campaign_state_conflict"]);
  expect(refusal(await call(`DELETE ${one}`))).toEqual([409, "campaign_not_editable"]);
  expect((await call(`POST ${one}/pause`)).body.data).toMatchObject({
    status: "paused",
    paused_reason: "user",
  });
  expect((await call(`POST ${one}/cancel`)).body.data).toMatchObject({ status: "cancelled" });
  const listed = await call(`GET ${one}/recipients?state=pending`);
  expect(listed.body.pagination).toMatchObject({ total: 2 });
  expect(refusal(await call(`POST ${path}`, { name: "x", template: "t", text: "y" }))).toEqual([
    400,
    "validation_failed",
  ]);
  expect(refusal(await call(`GET ${path}/999`))).toEqual([404, "not_found"]);
  await house.close();
});
