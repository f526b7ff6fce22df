import { createClient } from "@posthorn/client";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { openHouse, refusal } from "./harness.ts";

test("a campaign is created, filled, checked, started once and cancelled over HTTP", async () => {
  const house = await openHouse(() => openTestSqlite());
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
    recipients: [{ to: "ADA@example.com" }, { email: "bob@example.com", template_data: { name: "Bob" } }],
  });
  expect(added.body.data).toEqual({ added: 1, duplicates: 1, rejected: [], rejected_total: 0 });
  const unclear = await call(`POST ${one}/recipients`, {
    recipients: [{ template_data: {} }, { to: "eve@example.com", email: "eve@example.com" }],
  });
  expect(unclear.body.error?.details).toEqual([
    { path: "recipients.0.to", message: "is required" },
    { path: "recipients.1.email", message: "is given besides to" },
  ]);
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
  const campaignId = Number(made.body.data?.["id"]);
  await house.world.storage.campaigns.count([
    { campaignId, counter: "opened", by: 2 },
    { campaignId, counter: "clicked", by: 1 },
  ]);
  expect((await call(`GET ${one}`)).body.data).toMatchObject({ counts: { opened: 2, clicked: 1 } });
  const listed = await call(`GET ${one}/recipients?state=pending`);
  expect(listed.body.pagination).toMatchObject({ total: 2 });
  expect(refusal(await call(`POST ${path}`, { name: "x", template: "t", text: "y" }))).toEqual([
    400,
    "validation_failed",
  ]);
  expect(refusal(await call(`POST ${path}`, { name: "x", template: "nowhere" }))).toEqual([404, "not_found"]);
  expect(refusal(await call(`GET ${path}/999`))).toEqual([404, "not_found"]);
  await house.close();
});

test("a campaign's files are uploaded by users, or included in the request", async () => {
  const house = await openHouse(() => openTestSqlite());
  const { owner: as, workspace } = house;
  const client = createClient(house.url, { token: as.token, workspaceId: workspace });
  const { id } = await client.request("POST /workspaces/current/attachments", {
    ...{ filename: "terms.pdf", content: new Uint8Array(3_000_000) },
  });
  const logo = { filename: "logo.png", content: Buffer.from("png").toString("base64"), content_id: "logo" };
  const path = "POST /workspaces/current/campaigns";
  const says = { name: "Terms", subject: "x", html: "<img src=cid:logo>" };
  const made = await client.request(path, { ...says, attachments: [{ id }, logo] });
  expect(made.attachments).toEqual([
    {
      position: 0,
      filename: "terms.pdf",
      content_type: "application/pdf",
      size: 3_000_000,
      content_id: null,
    },
    { position: 1, filename: "logo.png", content_type: "image/png", size: 3, content_id: "logo" },
  ]);
  const viewer = await house.call("POST /workspaces/current/attachments?filename=a", {
    ...{ as: await house.join("viewer"), workspace, body: "a" },
  });
  expect(refusal(viewer)).toEqual([403, "forbidden"]);
  const big = { ...logo, content: Buffer.alloc(9 * 1024 * 1024).toString("base64") };
  const put = "PUT /workspaces/current/campaigns/{id}";
  expect(
    (await client.request(put, { id: made.id, name: "Terms", attachments: [big] })).attachments,
  ).toHaveLength(1);
  await house.close();
});

test("a campaign's recipients can be imported as a file and as a stream", async () => {
  const house = await openHouse(() => openTestSqlite());
  const { owner: as, workspace } = house;
  const path = "/workspaces/current/campaigns";
  const made = await house.call(`POST ${path}`, {
    as,
    workspace,
    body: { name: "Spring", subject: "x", text: "x" },
  });
  const id = Number(made.body.data?.["id"]);
  const send = async (type: string, body: string) => {
    const answer = await fetch(`${house.url}/api/v1${path}/${id}/recipients`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${as.token}`,
        "x-service-workspace-id": String(workspace),
        "content-type": type,
      },
      body,
    });
    const { data, error } = (await answer.json()) as { data?: object; error?: { code: string } };
    return { status: answer.status, data, code: error?.code };
  };
  expect(await send("text/csv; charset=utf-8", "email,n\na@b.example,1\nnobody,2\n")).toEqual({
    status: 200,
    data: {
      added: 1,
      duplicates: 0,
      rejected: [{ line: 3, value: "nobody", message: "is not an e-mail address" }],
      rejected_total: 1,
    },
    code: undefined,
  });
  const ndjson = '{"to":"A@b.example"}\n{"to":"c@d.example"}\n';
  expect((await send("application/x-ndjson", ndjson)).data).toMatchObject({ added: 1, duplicates: 1 });
  expect(await send("image/png", "x")).toMatchObject({ status: 415, code: "unsupported_media_type" });
  expect(await send("application/x-www-form-urlencoded", "x")).toMatchObject({ status: 415 });
  expect(await send("text/csv", "phone\n1\n")).toMatchObject({ status: 400, code: "validation_failed" });
  expect(await send("application/json", '{"recipients":[{"to":"nobody"}]}')).toMatchObject({ status: 400 });

  const client = createClient(house.url, { token: as.token, workspaceId: workspace });
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (let n = 0; n < 1_500; n += 1) yield Buffer.from(`u${n}@example.com\n`);
  }
  const signature = "POST /workspaces/current/campaigns/{id}/recipients";
  expect(await client.request(signature, { id, content: lines(), content_type: "text/csv" })).toMatchObject({
    added: 1_500,
  });
  const recipients = [{ to: "z@b.example" }];
  expect(await client.request(signature, { id, recipients })).toMatchObject({ added: 1 });
  await house.close();
});
