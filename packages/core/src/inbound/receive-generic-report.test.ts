import { expect, test, vi } from "vitest";
import { bounced, deliver, happened, makeEndpoint, receive } from "../../test/relay-reports.ts";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { signatureHeaders } from "../webhooks/rules/webhook-signature.ts";

openWorldForEach();

const call = async (body: string, more: Record<string, string> = {}) => {
  const { token, secret = "" } = await makeEndpoint("generic");
  const signed = signatureHeaders({ secrets: [secret], id: "1", timestamp: world.clock.now(), body });
  return receive({ provider: "generic", token, body, headers: { ...signed, ...more } });
};

test("accepts events", async () => {
  const id = await deliver();
  const events = [
    { kind: "bounce", recipient: "ada@example.com", email_id: id, status: "5.7.1", reply: "550 5.7.1 no" },
  ];
  expect(await call(JSON.stringify({ events }))).toEqual({ matched: 1 });
  expect(await happened()).toEqual([bounced(id, "policy")]);
});

test("the audit log names what suppressed an address, as an endpoint's caller has no name, and the e-mail", async () => {
  const id = await deliver();
  const about = { recipient: "ada@example.com", email_id: id };
  const bounce = { ...about, kind: "bounce", status: "5.1.1", reply: "550 5.1.1 no such user" };
  await call(JSON.stringify({ events: [bounce] }));
  world.clock.advance(1);
  await call(JSON.stringify({ events: [{ ...about, kind: "complaint" }] }));
  const { items } = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
  const told = items.filter(({ type }) => type.startsWith("suppression."));
  expect(told.map(({ message }) => message)).toEqual([
    "A complaint changed a suppression: ada@example.com",
    "A bounce suppressed an address: ada@example.com",
  ]);
  expect(JSON.stringify(told[1]?.metadata)).toContain(id);
});

test("records a call's events in the order of their addresses, by which two at once never wait for each other", async () => {
  const bounceOf = async (recipient: string) => ({
    kind: "bounce",
    recipient: recipient.toUpperCase(),
    email_id: await deliver([recipient]),
    status: "5.1.1",
  });
  const events = [await bounceOf("bob@example.com"), await bounceOf("ada@example.com")];
  expect(await call(JSON.stringify({ events }))).toEqual({ matched: 2 });
  const { items } = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
  const told = items.filter(({ type }) => type === "suppression.created");
  // The latest first.
  expect(told.map(({ message }) => message.split(": ")[1])).toEqual(["bob@example.com", "ada@example.com"]);
});

test("writes the suppressions of a call's events behind all of them, so that nobody waits for one as long as the others take", async () => {
  const events = [];
  for (const recipient of ["ada@example.com", "bob@example.com"])
    events.push({ kind: "bounce", recipient, email_id: await deliver([recipient]), status: "5.1.1" });
  const called: string[] = [];
  const { transaction } = world.storage;
  vi.spyOn(world.storage, "transaction").mockImplementation((work, holder) =>
    transaction((storage) => {
      const told = <T extends object>(of: T, method: keyof T & string): T =>
        new Proxy(of, {
          get(target, name) {
            if (name === method) called.push(name);
            return Reflect.get(target, name);
          },
        });
      const replaced = {
        reports: { value: told(storage.reports, "note") },
        settings: { value: told(storage.settings, "find") },
        suppressions: { value: told(storage.suppressions, "put") },
      };
      return work(Object.create(storage, replaced));
    }, holder),
  );
  expect(await call(JSON.stringify({ events }))).toEqual({ matched: 2 });
  expect(called).toEqual(["note", "find", "note", "put"]);
});

test("finds no e-mail of another workspace by its id, and none by an unknown one", async () => {
  const other = await world.addWorkspace();
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to: ["ada@example.com"] },
    { workspaceId: other.id },
  );
  await world.posthorn.drain();
  const unknown = "0190a5f0-0000-7000-8000-000000000001";
  const events = [id, unknown].map((emailId) => ({
    kind: "bounce",
    recipient: "ada@example.com",
    email_id: emailId,
    reply: "550 5.1.1 no such user",
  }));
  expect(await call(JSON.stringify({ events }))).toEqual({ matched: 0 });
  expect(await happened()).toEqual([]);
});

test("accepts raw messages", async () => {
  const id = await deliver();
  const message = [
    "Content-Type: multipart/report; boundary=b",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    `Original-Envelope-Id: ${id}`,
    "",
    "Final-Recipient: rfc822; ada@example.com",
    "Action: failed",
    "Status: 5.2.1",
    "",
    "--b",
    "Content-Type: message/rfc822",
    "",
    // The returned e-mail with its files.
    `${"x".repeat(76)}\r\n`.repeat(40_000),
    "--b--",
  ].join("\r\n");
  expect(await call(message, { "content-type": "message/rfc822" })).toEqual({ matched: 1 });
  const { items } = await world.posthorn.inbound.list({}, workspace.asOwner);
  const report = { reportId: items[0]?.id ?? "" };
  const { raw } = await world.posthorn.inbound.get(report, workspace.asOwner);
  expect(raw === message.slice(0, 1_048_576)).toBe(true);
  expect(await happened()).toMatchObject([
    ["email.bounced", id, "ada@example.com", "inactive_mailbox", "dsn"],
  ]);
});

test("takes what is sent at once as message and as events for what each is", async () => {
  const id = await deliver();
  const body = JSON.stringify({
    events: [{ kind: "bounce", recipient: "ada@example.com", email_id: id, reply: "550 5.1.1 no" }],
  });
  const { token, secret = "" } = await makeEndpoint("generic");
  const signed = signatureHeaders({ secrets: [secret], id: "1", timestamp: world.clock.now(), body });
  const types = ["message/rfc822", "message/rfc822", "application/json"];
  const calls = types.map((type) =>
    receive({ provider: "generic", token, body, headers: { ...signed, "content-type": type } }),
  );
  expect(await Promise.all(calls)).toEqual([{ matched: 0 }, { matched: 0 }, { matched: 1 }]);
  expect(await happened()).toEqual([bounced(id)]);
});

test("lets other work go on after every few events of a call", async () => {
  const events = Array(2_000).fill({ kind: "bounce", recipient: "ada@example.com" });
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  const answer = await call(JSON.stringify({ events }));
  clearInterval(counting);
  expect(answer).toEqual({ matched: 0 });
  expect(turns).toBeGreaterThanOrEqual(20);
});

test("refuses more events than it would store, so that none is lost unnoticed", async () => {
  const events = Array(2_001).fill({ kind: "bounce", recipient: "ada@example.com" });
  await expect(call(JSON.stringify({ events }))).rejects.toMatchObject({ code: "validation_failed" });
});

test("refuses an event that it can't read, by its field, with all others of the call", async () => {
  const bounce = {
    kind: "bounce",
    recipient: "ada@example.com",
    email_id: await deliver(),
    status: "5.1.1",
  };
  const refused = async (...events: unknown[]) =>
    await call(JSON.stringify({ events })).catch(({ code, message }) => `${code} ${message}`);
  expect([
    await refused(bounce, { ...bounce, kind: "bouned" }),
    await refused(bounce, { ...bounce, kind: undefined }),
    await refused(bounce, { ...bounce, recipient: "" }),
    await refused("bounce"),
  ]).toEqual([
    "validation_failed events.1.kind: must be bounce, complaint or delay",
    "validation_failed events.1.kind: must be bounce, complaint or delay",
    "validation_failed events.1.recipient: is required, an e-mail address",
    "validation_failed events.0.kind: must be bounce, complaint or delay",
  ]);
  expect(await happened()).toEqual([]);
  expect(await call(JSON.stringify({ events: [bounce] }))).toEqual({ matched: 1 });
});

test("follows complaints, and no statement that a mail is not spam", async () => {
  const id = await deliver();
  const complaint = { kind: "complaint", recipient: "ada@example.com", email_id: id };
  const feed = (feedback: string) => call(JSON.stringify({ events: [{ ...complaint, feedback }] }));
  expect([await feed("not-spam"), await happened()]).toEqual([{ matched: 0 }, []]);
  expect(await feed("fraud")).toEqual({ matched: 1 });
  expect(await happened()).toEqual([["email.complained", id, "ada@example.com", "fraud", "provider"]]);
});

test("refuses a body of another form, and any that is unsigned", async () => {
  await expect(call("no JSON")).rejects.toMatchObject({ details: [{ path: "body" }] });
  await expect(call(JSON.stringify([{ kind: "bounce" }]))).rejects.toMatchObject({
    details: [{ path: "events" }],
  });
  const { token } = await makeEndpoint("generic");
  await expect(receive({ provider: "generic", token, body: "{}" })).rejects.toMatchObject({
    code: "unauthenticated",
    message: expect.stringContaining("this endpoint's secret"),
  });
});
