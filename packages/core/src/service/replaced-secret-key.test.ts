import { generateSync } from "otplib";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createMemoryDns, createWorld, type TestWorkspace, type World } from "../testing/index.ts";
import { verifyWebhook } from "../webhooks/rules/webhook-signature.ts";

const firstKey = "the first key of this database, 4711";
const password = "the engine weaves algebra";
const mail = { subject: "Hi", text: "Hi", from: "a@shop.example", to: ["ada@example.com"] };

/** Lets a service with the first secret key prepare a workspace; returns a service with the next, on the same database. */
async function replaceKey<T>(
  prepare: (before: World, workspace: TestWorkspace) => Promise<T>,
  { formerSecretKeys }: { formerSecretKeys?: string[] } = {},
) {
  const storage = await openTestSqlite();
  const dns = createMemoryDns();
  const before = await createWorld(storage, { secretKey: firstKey, dns });
  onTestFinished(() => before.close());
  const workspace = await before.addWorkspace();
  const prepared = await prepare(before, workspace);
  const after = await createWorld(storage, {
    secretKey: "the key that came after it, 0815",
    formerSecretKeys,
    dns,
  });
  onTestFinished(() => after.posthorn.close());
  await after.posthorn.replaceSecretKey({ giveUpUnreadable: formerSecretKeys === undefined });
  return { ...after, workspace, prepared };
}

const replyOf = async ({ posthorn }: World, emailId: string, { id: workspaceId }: TestWorkspace) => {
  const { status, recipients } = await posthorn.emails.get({ emailId }, { workspaceId });
  return `${status} ${recipients[0]?.lastReply}`;
};

test("with the former key known, e-mails, webhooks and two-factor logins go on as before", async () => {
  const prepare = async ({ posthorn, clock }: World, { id: workspaceId, owner, asOwner }: TestWorkspace) => {
    const webhook = await posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.sent"] },
      asOwner,
    );
    const { secret } = await posthorn.twoFactor.setup({}, { as: owner });
    const code = (ms: number) => generateSync({ secret, epoch: Math.floor(ms / 1_000) });
    await posthorn.twoFactor.verify({ code: code(clock.now()) }, { as: owner });
    await posthorn.emails.send({ ...mail, text: "your secret", sensitive: true }, { workspaceId });
    return { webhook, code };
  };
  const { posthorn, mailer, http, clock, workspace, prepared } = await replaceKey(prepare, {
    formerSecretKeys: [firstKey],
  });
  await posthorn.drain();
  expect(mailer.inbox.find({ to: "ada@example.com" })?.text).toContain("your secret");
  const [post] = http.posts;
  const { secret } = prepared.webhook;
  const { headers = {}, body = "" } = post ?? {};
  expect(verifyWebhook({ secret, headers, body, now: clock.now() })).toBe(true);
  clock.advance(60_000);
  await posthorn.twoFactor.disable({ code: prepared.code(clock.now()) }, { as: workspace.owner });
});

test("when a replacement is interrupted, it seals the rest when repeated, and nothing is sent before", async () => {
  const storage = await openTestSqlite();
  const before = await createWorld(storage, { secretKey: firstKey });
  onTestFinished(() => before.close());
  await before.posthorn.migrate();
  const { id: workspaceId, asOwner } = await before.addWorkspace();
  await before.posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner);
  await before.posthorn.emails.send({ ...mail, sensitive: true }, { workspaceId });
  const { replaceSealed } = storage.operations;
  let left = 1;
  const operations = {
    ...storage.operations,
    async replaceSealed(...changes: Parameters<typeof replaceSealed>) {
      if (left === 0) throw new Error("killed");
      left -= 1;
      await replaceSealed(...changes);
    },
  };
  const { posthorn, mailer } = await createWorld(
    { ...storage, operations },
    { secretKey: "the key that came after it, 0815", formerSecretKeys: [firstKey] },
  );
  onTestFinished(() => posthorn.close());
  await expect(posthorn.replaceSecretKey()).rejects.toThrow("killed");
  await expect(posthorn.drain()).rejects.toThrow("Repeat it with the same keys");
  left = 1;
  expect((await posthorn.replaceSecretKey()).resealed).toMatchObject({ inboundSecrets: 0, emails: 1 });
  await posthorn.drain();
  expect(mailer.inbox.all()).toHaveLength(1);
});

test("an e-mail that the former key sealed fails at its first attempt, and says why", async () => {
  const world = await replaceKey(({ posthorn }, { id: workspaceId }) =>
    posthorn.emails.send({ ...mail, sensitive: true }, { workspaceId }),
  );
  await world.posthorn.drain();
  expect(await replyOf(world, world.prepared.id, world.workspace)).toBe(
    "failed its sealed content can't be read: another secret key sealed it",
  );
});

test("a domain that the former key sealed defers its mail with the remedy, and signs once it is added again", async () => {
  const add = async ({ posthorn, dns }: World, workspace: TestWorkspace) => {
    const { id: domainId, records } = await posthorn.domains.create(
      { name: "shop.example" },
      workspace.asOwner,
    );
    for (const { type, name, value } of records) if (type === "TXT") dns.set(name, value);
    await posthorn.domains.verify({ domainId }, workspace.asOwner);
    return domainId;
  };
  const world = await replaceKey(add);
  const { posthorn, workspace, prepared: domainId, clock, mailer } = world;
  const { id } = await posthorn.emails.send(mail, { workspaceId: workspace.id });
  await posthorn.drain();
  expect(await replyOf(world, id, workspace)).toBe(
    "queued the signing key of shop.example can't be read (another secret key sealed it): remove the domain, and add it again",
  );
  await posthorn.domains.delete({ domainId }, workspace.asOwner);
  await add(world, workspace);
  clock.advance(3_600_000);
  await posthorn.drain();
  expect(mailer.inbox.find({ to: "ada@example.com" })?.dkim?.[0]?.domain).toBe("shop.example");
});

test("a mail server whose password the former key sealed is down with the remedy, and works with the password set again", async () => {
  const world = await replaceKey(({ posthorn }, { asOwner }) =>
    posthorn.smtpServers.create(
      { name: "relay", host: "relay.example", username: "u", password: "p", isDefault: true },
      asOwner,
    ),
  );
  const { posthorn, workspace, prepared, mailer } = world;
  const [{ asOwner }, smtpServerId] = [workspace, prepared.id];
  await posthorn.settings.update({ platformServer: false }, asOwner);
  mailer.probe = async () => ({ ok: true, steps: [], extensions: [], maxSize: undefined });
  const { id } = await posthorn.emails.send(mail, { workspaceId: workspace.id });
  await posthorn.drain();
  const fault = "the mail server's password can't be read (another secret key sealed it): set it again";
  expect(await posthorn.smtpServers.get({ smtpServerId }, asOwner)).toMatchObject({
    state: "down",
    lastError: fault,
  });
  expect(await posthorn.smtpServers.test({ smtpServerId }, asOwner)).toMatchObject({
    ok: false,
    steps: [{ step: "auth", error: fault }],
  });
  expect(mailer.inbox.all()).toEqual([]);
  await posthorn.smtpServers.update({ smtpServerId, password: "p" }, asOwner);
  await posthorn.drain();
  expect(await replyOf(world, id, workspace)).toMatch(/^sent/);
});

test("a webhook whose secret the former key sealed says so, and works at once when it is rotated", async () => {
  const { posthorn, workspace, prepared, http } = await replaceKey(({ posthorn }, { asOwner }) =>
    posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["email.sent"] }, asOwner),
  );
  const webhookId = prepared.id;
  await posthorn.webhooks.test({ webhookId }, workspace.asOwner);
  await posthorn.drain();
  const { items } = await posthorn.webhooks.listDeliveries({ webhookId }, workspace.asOwner);
  expect(items).toMatchObject([{ status: "pending", error: "secret_unreadable" }]);
  expect(http.posts).toEqual([]);
  await posthorn.webhooks.rotateSecret({ webhookId }, workspace.asOwner);
  await posthorn.webhooks.test({ webhookId }, workspace.asOwner);
  await posthorn.drain();
  expect(http.posts).toHaveLength(1);
});

test("two-factor login with a secret that the former key sealed takes recovery codes alone, until it is reset", async () => {
  const { posthorn, prepared, clock } = await replaceKey(async ({ posthorn, clock }) => {
    const user = await posthorn.users.create({ name: "Ada", email: "ada@example.com", password });
    const caller = await posthorn.findUser(user.id);
    if (caller === undefined) throw new Error("the user is gone");
    const { secret } = await posthorn.twoFactor.setup({}, { as: caller });
    const code = (ms: number) => generateSync({ secret, epoch: Math.floor(ms / 1_000) });
    const { recoveryCodes } = await posthorn.twoFactor.verify({ code: code(clock.now()) }, { as: caller });
    return { caller, code, recoveryCode: recoveryCodes[0] ?? "" };
  });
  const { caller, code, recoveryCode } = prepared;
  clock.advance(60_000);
  const now = code(clock.now());
  const login = { email: "ada@example.com", password };
  const refused = { code: "invalid_two_factor_code" };
  await expect(posthorn.accounts.login({ ...login, twoFactorCode: now })).rejects.toMatchObject(refused);
  await expect(posthorn.twoFactor.disable({ code: now }, { as: caller })).rejects.toMatchObject({
    ...refused,
    message: "No code can be checked any more: an administrator must reset your two-factor login.",
  });
  await posthorn.accounts.login({ ...login, twoFactorCode: recoveryCode });
  await posthorn.users.resetTwoFactor({ userId: caller.userId });
  await posthorn.accounts.login(login);
});

test("an inbound endpoint whose secret the former key sealed lets the relay repeat its calls, and says what to do", async () => {
  const { posthorn, prepared } = await replaceKey(({ posthorn }, { asOwner }) =>
    posthorn.inboundEndpoints.create({ provider: "generic" }, asOwner),
  );
  const token = prepared.url.split("/").at(-1) ?? "";
  await expect(
    posthorn.inbound.receive(
      { provider: "generic", token, headers: {}, body: "{}" },
      { as: { kind: "anonymous" } },
    ),
  ).rejects.toMatchObject({
    code: "unavailable",
    message: "This endpoint's secret can't be read any more: remove the endpoint, and add another.",
  });
});
