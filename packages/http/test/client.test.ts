import { ApiError, type Client, createClient } from "@posthorn/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "./start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Creates a client for the owner of a new workspace, with an API key. */
async function createOwner(): Promise<Client> {
  const { token } = await server.logIn();
  const person = createClient(server.url, { token });
  const { id } = await person.request("POST /workspaces", { name: "Acme" });
  const owner = person.with({ workspaceId: id });
  const { key } = await owner.request("POST /workspaces/current/api-keys", { name: "Site" });
  return owner.with({ apiKey: key });
}

test("works from creating an account to a sent e-mail", async () => {
  const owner = await createOwner();
  const template = await owner.request("POST /workspaces/current/templates", {
    name: "welcome",
    subject: "Hello {{name}}",
    html: "<p>Hello {{name}}</p>",
  });
  const version = await owner.request("POST /workspaces/current/templates/{templateId}/versions", {
    templateId: template.id,
    html: "<p>Welcome {{name}}</p>",
    note: "warmer",
  });
  const activated = await owner.request(
    "POST /workspaces/current/templates/{templateId}/activate/{versionId}",
    {
      templateId: template.id,
      versionId: version.id,
    },
  );
  expect(activated.active_version_id).toBe(version.id);
  const email = await owner.request("POST /emails/send-template", {
    template: "welcome",
    to: ["grace@example.com"],
    template_data: { name: "Grace" },
  });
  expect(email.status).toBe("queued");
  await server.world.posthorn.drain();
  const sent = await owner.request("GET /emails/{id}", { id: email.id });
  expect([sent.status, sent.recipients[0]?.state]).toEqual(["sent", "accepted"]);
  const log = await owner.request("GET /workspaces/current/emails", { status: "sent", size: 1 });
  expect([log.data[0]?.id, log.pagination.total]).toEqual([email.id, 1]);
});

test("retries under the same idempotency key without a second e-mail", async () => {
  const owner = await createOwner();
  const fields = { subject: "Hi", text: "Hi", to: ["grace@example.com"] };
  const first = await owner.request("POST /emails/send", fields, { idempotencyKey: "order-1" });
  const second = await owner.request("POST /emails/send", fields, { idempotencyKey: "order-1" });
  expect(second).toEqual(first);
  const other = owner.request("POST /emails/send", { ...fields, text: "Ho" }, { idempotencyKey: "order-1" });
  await expect(other).rejects.toMatchObject({ status: 409, code: "idempotency_key_reused" });
  const bad = owner.request("POST /emails/send", fields, { idempotencyKey: "x".repeat(256) });
  await expect(bad).rejects.toMatchObject({ status: 400, details: [{ path: "Idempotency-Key" }] });
});

test("the idempotency key can't be in the body", async () => {
  const owner = await createOwner();
  const fields = { subject: "Hi", text: "Hi", to: ["grace@example.com"], idempotency_key: "a" };
  await expect(owner.request("POST /emails/send", fields)).rejects.toMatchObject({
    details: [{ path: "idempotency_key", message: "is not a known field" }],
  });
});

test("reads a plan's limit from the headers", async () => {
  const admin = await server.logIn({ admin: true });
  const plan = await server.ask("POST /admin/plans", {
    token: admin.token,
    body: { name: "Tiny", hourly_rate_limit: 1 },
  });
  const { token } = await server.logIn();
  const person = createClient(server.url, { token });
  const { id } = await person.request("POST /workspaces", { name: "Small" });
  await createClient(server.url, { token: admin.token }).request("POST /admin/workspaces/{id}/plan", {
    id,
    plan_id: Number(plan.body.data?.id),
  });
  const { key } = await person
    .with({ workspaceId: id })
    .request("POST /workspaces/current/api-keys", { name: "k" });
  const send = () =>
    server.ask("POST /emails/send", { token: key, body: { subject: "a", text: "b", to: ["c@example.com"] } });
  expect((await send()).status).toBe(202);
  const refused = await send();
  expect([refused.status, refused.body.error?.code]).toEqual([429, "rate_limited"]);
  expect(refused.headers.get("retry-after")).toBe("3600");
  expect(refused.headers.get("ratelimit-policy")).toBe('"hourly_rate_limit";q=1;w=3600');
  expect(refused.headers.get("ratelimit")).toBe('"hourly_rate_limit";r=0;t=3600');
});

test("a refusal is an error with the server's code and message", async () => {
  const error = await createClient(server.url)
    .request("GET /users/me")
    .catch((refusal: unknown) => refusal);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 401,
    code: "unauthenticated",
    requestId: expect.stringMatching(/./),
  });
});

test("a deletion returns nothing, and deleting a workspace requires its name", async () => {
  const owner = await createOwner();
  const sheet = await owner.request("POST /workspaces/current/stylesheets", {
    name: "base",
    css: "p { color: red }",
  });
  expect(
    await owner.request("DELETE /workspaces/current/stylesheets/{id}", { id: sheet.id }),
  ).toBeUndefined();
  expect(await owner.request("DELETE /workspaces/current", { name: "Acme" })).toEqual({
    message: "Workspace deleted",
  });
});

/** Never executed: calls that must not compile. */
export function mistakes(client: Client): void {
  // @ts-expect-error: no such route
  void client.request("GET /nothing");
  // @ts-expect-error: the path's parameter is missing
  void client.request("GET /emails/{id}", {});
  // @ts-expect-error: the service's own name of a field
  void client.request("PUT /workspaces/current/settings", { webhookRetryCount: 3 });
}
