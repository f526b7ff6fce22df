import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createClient } from "@posthorn/client";
import type { World } from "@posthorn/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { testCertificate } from "../../mailer-smtp/test/test-certificate.ts";
import type { Api } from "../src/program/connection/api.ts";
import { connectToServer } from "../src/program/connection/connect-to-server.ts";
import { toCliError } from "../src/program/errors/to-cli-error.ts";
import { serveWorld } from "./serve-world.ts";
import { openVerbWorld } from "./verb-world.ts";

const password = "correct horse battery";

/** The login of an owner of "Mine", on a server of the world. */
async function logIn(world: World): Promise<Api> {
  const url = await serveWorld(world);
  const ada = await world.posthorn.users.create({ name: "Ada", email: "ada@example.com", password });
  await world.posthorn.workspaces.createFor({ name: "Mine", userId: ada.id });
  const { token } = await createClient(url).request("POST /auth/login", {
    email: "ada@example.com",
    password,
  });
  return connectToServer("prod", { url, token });
}

test("with a login, the same verbs work over HTTP, on the login's own workspaces", async () => {
  const { run, told } = await openVerbWorld(logIn);
  // Others' workspaces are not listed.
  expect(await run("workspaces")).toMatchObject([[{ name: "Mine", role: "owner" }]]);
  expect(await run("settings", "set", "--timezone", "Europe/Rome")).toMatchObject([
    { timezone: "Europe/Rome" },
  ]);
  const [secret] = await run("webhooks", "create", "https://shop.example/hooks", "--event", "*");
  expect(secret).toMatch(/^whsec_/);
  await run("webhooks", "delete", "https://shop.example/hooks");
  expect(await run("webhooks")).toEqual([[]]);
  expect(await run("members")).toMatchObject([[{ email: "ada@example.com", role: "owner" }]]);
  await expect(run("settings", "--workspace", "Shop")).rejects.toMatchObject({ failure: "not_found" });
  const refused = await run("plans", "create", "Big").catch((error: unknown) => toCliError(error));
  expect(refused).toMatchObject({ failure: "not_allowed", code: "administrator_required" });
  await expect(
    run("emails", "send", "--to", "a@example.com", "--subject", "x", "--text", "x"),
  ).rejects.toThrow("needs an API key");
  expect(told.at(-1)).toContain("is deleted");
  expect(await run("workspaces", "create", "Books")).toMatchObject([{ name: "Books" }]);
  expect(told.at(-1)).toMatch(/"Books", is created; you are its owner/);
  await expect(run("workspaces", "create", "Hers", "--owner", "bob@example.com")).rejects.toMatchObject({
    failure: "usage",
    hint: expect.stringContaining("workspaces ensure"),
  });
  expect(await run("workspaces")).toMatchObject([[{ name: "Books" }, { name: "Mine" }]]);
});

/** The login of an administrator who is a member of no workspace. */
async function logInAsAdministrator(world: World): Promise<Api> {
  const url = await serveWorld(world);
  const email = "root@example.com";
  await world.posthorn.users.create({ name: "Root", email, password, isAdmin: true });
  const { token } = await createClient(url).request("POST /auth/login", { email, password });
  return connectToServer("prod", { url, token });
}

test("an administrator does over HTTP what the operator does on the database, in others' workspaces", async () => {
  const { run, told, world, shop } = await openVerbWorld(logInAsAdministrator);
  const grace = await world.addUser({ name: "Grace", email: "grace@example.com" });
  for (let at = 0; at < 3; at += 1) await world.addUser({ email: `a${at}.grace@example.com` });
  expect(await run("users", "promote", "GRACE@example.com")).toMatchObject([
    { id: grace.userId, is_admin: true },
  ]);
  expect(await run("users", "show", String(grace.userId))).toMatchObject([{ is_admin: true }]);
  expect(await run("users", "demote", "grace@example.com")).toMatchObject([{ is_admin: false }]);
  await expect(run("users", "demote", "root@example.com")).rejects.toThrow("their own administrator rights");
  await world.posthorn.accounts.login({ email: "root@example.com", password });
  expect(await run("users", "revoke-sessions", "grace@example.com")).toEqual([
    { user_id: grace.userId, revoked: 0 },
  ]);
  expect(told).toContainEqual(expect.stringContaining("ends 0 sessions of Grace"));
  await expect(run("retention", "run")).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringContaining("removes expired data by itself every hour"),
  });
  await expect(run("users", "set-password", "grace@example.com")).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringContaining("nobody set another user's password"),
  });
  expect(
    await run("members", "add", "grace@example.com", "--role", "editor", "--workspace", "Shop"),
  ).toMatchObject([{ user_id: grace.userId, role: "editor" }]);
  expect(told.at(-1)).toBe(
    'grace@example.com now has the role editor in "Shop", and was notified by e-mail.',
  );
  await run("plans", "create", "Pro");
  await run("plans", "assign", "Pro", "--workspace", String(shop.id));
  await run("plans", "assign", "Pro", "--user", "grace@example.com");
  expect(await run("plans", "who", "Pro")).toMatchObject([
    [
      { kind: "workspace", id: shop.id },
      { kind: "user", email: "grace@example.com" },
    ],
  ]);
  expect(await run("plans", "unassign", "--workspace", "Shop")).toEqual([
    { workspace_id: shop.id, plan_id: null },
  ]);
  await expect(run("plans", "delete", "Pro")).rejects.toThrow('"Pro" is assigned to 1.');
  expect(await run("workspaces", "distrust", "Shop")).toMatchObject([{ is_trusted: false }]);
  await expect(run("workspaces", "trust", "Nowhere")).rejects.toMatchObject({ failure: "not_found" });
});

test("tails events of a server, and forwards e-mail events to a local receiver", async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest) => {
    lines.push(...String(text).trim().split("\n"));
    const done = rest.at(-1);
    if (typeof done === "function") done();
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const { run, told, world, end } = await openVerbWorld(logInAsAdministrator);
  await run("plans", "create", "Pro");
  const typesOf = async (...more: string[]) => {
    lines.length = 0;
    await run("events", "tail", ...more);
    return lines.map((line) => JSON.parse(line).type);
  };
  expect(await typesOf("--lines", "1")).toEqual(["plan.created"]);
  expect(await typesOf("--since-id", "0", "--type", "workspace.created")).toEqual(["workspace.created"]);
  expect(await typesOf("--since", "2029-12-31T00:00:00Z", "--workspace", "Shop")).toContain(
    "workspace.created",
  );

  const { workspaces } = world.posthorn;
  const root = await world.posthorn.users.getByEmail({ email: "root@example.com" });
  const mine = await workspaces.createFor({ name: "Mine", userId: root.id });
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const listening = run("webhooks", "listen", "--forward-to", `http://127.0.0.1:${port}/`);
  await expect.poll(() => told.at(-1)).toContain("Ctrl-C");
  await world.posthorn.emails.send(
    { to: ["ada@example.com"], subject: "Moved", text: "x" },
    { workspaceId: mine.id },
  );
  await expect
    .poll(() => bodies.map((body) => JSON.parse(body)))
    .toMatchObject([{ event: "email.queued", data: { subject: "Moved" } }]);
  // Reported once the receiver has responded: from then on nothing is in progress.
  await expect.poll(() => lines.at(-1)).toContain('"event":"email.queued"');
  end();
  await listening;
});

test("a user who is no administrator can't add users or see others", async () => {
  const { run } = await openVerbWorld(logIn);
  for (const line of [
    ["members", "add", "1", "--role", "viewer"],
    ["users", "promote", "ada@example.com"],
    ["users", "show", "1"],
    ["plans", "who", "1"],
  ])
    await expect(run(...line)).rejects.toMatchObject({ code: "administrator_required" });
});

test("reports a server that is gone, and one that is not Posthorn", async () => {
  const failing = (answer: () => Promise<Response>) =>
    createClient("https://mail.example", { retries: 0, fetch: answer })
      .request("GET /workspaces")
      .catch((error: unknown) => toCliError(error));
  expect(await failing(() => Promise.reject(new TypeError("fetch failed")))).toMatchObject({
    failure: "unavailable",
  });
  expect(await failing(async () => new Response("<html>", { status: 404 }))).toMatchObject({
    failure: "not_found",
    message: expect.stringContaining("not a Posthorn server"),
  });
});

test("says how a server's certificate is trusted that an authority of one's own signed", async () => {
  const server = createHttpsServer(testCertificate).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refused = await createClient(url, { retries: 0 })
    .request("GET /workspaces")
    .catch((error: unknown) => toCliError(error));
  expect(refused).toMatchObject({
    failure: "unavailable",
    message: `${url} can't be reached: self-signed certificate.`,
    hint: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
  });
});
