import { expect, test } from "vitest";
import { host, minute, openWorldForEach, send, workspace, world } from "../../../../test/world-for-each.ts";
import type { HandoverStep, MailMessage, MailResult } from "../../../ports/mailer.ts";
import { acceptAll, answerAll } from "../../../testing/index.ts";

openWorldForEach();

const timelineOf = async (emailId: string) => (await world.posthorn.emails.get({ emailId }, host())).timeline;
const typesOf = async (emailId: string) => (await timelineOf(emailId)).map(({ type }) => type);
const operatorsOf = async (emailId: string) =>
  (
    await world.posthorn.emails.get(
      { emailId },
      { as: await world.addUser({ admin: true }), workspaceId: "all" },
    )
  ).timeline;

const steps: HandoverStep[] = [
  { step: "wait", ms: 0 },
  { step: "connect", ms: 2.5, error: "could not connect to relay.internal:25: refused" },
  { step: "connect", ms: 2 },
  { step: "greeting", ms: 1, code: 220, reply: "220 relay.internal" },
  { step: "mail_from", ms: 0.4, code: 250, reply: "250 2.1.0 Ok" },
  { step: "rcpt_to", ms: 0.3, code: 250, reply: "250 2.1.5 Ok", recipient: "ada@example.com" },
  { step: "data", ms: 0.2, code: 354, reply: "354 go on" },
  { step: "end_of_data", ms: 3, code: 250, reply: "250 2.0.0 taken" },
];
const acceptSlowly = (message: MailMessage): MailResult => ({ ...acceptAll(message), steps });

test("an e-mail's timeline runs from its request to its webhook", async () => {
  await world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["email.sent"] },
    workspace.asOwner,
  );
  const key = await world.posthorn.apiKeys.create({ name: "Shop" }, workspace.asOwner);
  const as = await world.posthorn.authenticateApiKey(key.key);
  if (as === undefined) throw new Error("the key is of no use");
  world.mailer.answerWith(acceptSlowly);
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to: ["ada@example.com"], idempotencyKey: "order-7", dedupeKey: "once-7" },
    { ...host(), as, client: { ip: "192.0.2.1", requestId: "req-1" } },
  );
  world.clock.advance(minute);
  await world.posthorn.drain();
  const timeline = await timelineOf(id);
  expect(timeline.map(({ type }) => type)).toEqual(["accepted", "attempt", "settled", "webhook"]);
  const [accepted, attempt, , webhook] = timeline;
  expect(accepted?.message).toContain("from API key Shop (sk_");
  expect(accepted?.details).toMatchObject({
    request_id: "req-1",
    idempotency_key: "order-7",
    dedupe_key: "once-7",
    checks: { suppressed: 0, sender_domain: "not_required", limits: null },
  });
  expect(attempt?.details).toMatchObject({ number: 1, outcome: "sent", in_doubt: false });
  expect(webhook?.details).toMatchObject({ event: "email.sent", status: "delivered", response_status: 200 });
  expect(JSON.stringify(timeline)).not.toContain("Hello");
});

test("a webhook's delivery is due after the pause that its endpoint asked for, as in the list of deliveries", async () => {
  const { id: webhookId } = await world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["email.sent"] },
    workspace.asOwner,
  );
  const pausedUntil = world.clock.now() + minute;
  await world.storage.webhooks.noteOutcome(webhookId, { failures: 1, pausedUntil, pace: 0 });
  const { id } = await send();
  await world.posthorn.drain();
  const delivery = (await timelineOf(id)).find(({ type }) => type === "webhook");
  expect(delivery?.details).toMatchObject({
    status: "pending",
    due_at: new Date(pausedUntil).toISOString(),
  });
});

test("the acceptance keeps its time to send when the e-mail is rescheduled", async () => {
  const at = (minutes: number) => new Date(world.clock.now() + minutes * minute).toISOString();
  const acceptedFor = async (emailId: string) => (await timelineOf(emailId))[0]?.details["scheduled_at"];
  const [first, second, third] = [at(10), at(20), at(30)];
  const { id: emailId } = await send({ scheduledAt: first });
  const unscheduled = await send();
  for (const scheduledAt of [second, third]) {
    await world.posthorn.emails.reschedule({ emailId, scheduledAt }, workspace.asOwner);
    await world.posthorn.emails.reschedule({ emailId: unscheduled.id, scheduledAt }, workspace.asOwner);
    world.clock.advance(1);
  }
  expect(await acceptedFor(emailId)).toBe(first);
  expect(await acceptedFor(unscheduled.id)).toBeUndefined();
});

test("a tenant sees the duration and reply of the operator's server; an operator sees all steps", async () => {
  world.mailer.answerWith(acceptSlowly);
  const { id } = await send();
  await world.posthorn.drain();
  const [theirs] = (await timelineOf(id)).flatMap(({ handovers }) => handovers);
  expect(theirs?.steps).toEqual([
    steps[0],
    { step: "connect", ms: 2.5, error: "did not succeed" },
    steps[2],
    { step: "greeting", ms: 1, code: 220 },
    ...steps.slice(4),
  ]);
  const [ours] = (await operatorsOf(id)).flatMap(({ handovers }) => handovers);
  expect(ours).toMatchObject({ smtpServerId: undefined, steps });
});

test("a deferred e-mail shows why, and when it is due; manual actions show the user", async () => {
  world.mailer.answerWith(answerAll("deferred", 450, "450 4.2.1 busy"));
  const { id } = await send();
  await world.posthorn.drain();
  const [, attempt, waiting] = await timelineOf(id);
  expect(attempt?.message).toContain("Attempt 1: deferred");
  expect(attempt?.message).toContain("450 4.2.1 busy");
  expect(waiting).toMatchObject({ type: "waiting", at: world.clock.now() + minute, details: { attempt: 2 } });
  const emailId = id;
  const later = new Date(world.clock.now() + 60 * minute).toISOString();
  await world.posthorn.emails.reschedule({ emailId, scheduledAt: later }, workspace.asOwner);
  world.clock.advance(1);
  await world.posthorn.emails.cancel({ emailId }, workspace.asOwner);
  const after = await timelineOf(id);
  expect(after.map(({ type }) => type)).toEqual(["accepted", "attempt", "rescheduled", "cancelled"]);
  expect(after.at(-1)?.message).toBe(`Cancelled by ${workspace.owner.name}.`);
});

test("a held e-mail says so, in words for the viewer", async () => {
  const as = { as: await world.addUser({ admin: true }) };
  await world.posthorn.queue.pause({ reason: "relay10: the relay at 10.0.0.5 moves" }, as);
  const { id } = await send();
  const [, waiting] = await timelineOf(id);
  expect(waiting?.message).toBe("Due for attempt 1; its route is held: held.");
  const [, operators] = await operatorsOf(id);
  expect(operators?.message).toContain("the relay at 10.0.0.5 moves");
});

test("refusals, suppressions and deferrals to another hour appear in order", async () => {
  await world.posthorn.suppressions.create({ email: "eve@example.com" }, workspace.asOwner);
  world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 unknown"));
  const { id } = await send({ to: ["ada@example.com", "eve@example.com"] });
  await world.posthorn.drain();
  const timeline = await timelineOf(id);
  expect(timeline.map(({ type }) => type)).toEqual([
    "accepted",
    "suppressed",
    "attempt",
    "bounced",
    "settled",
  ]);
  expect(timeline.find(({ type }) => type === "bounced")).toMatchObject({
    recipient: "ada@example.com",
    details: { class: "hard", enhanced_code: "5.1.1", source: "smtp" },
  });
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Small", hourlyRateLimit: 1 }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
  world.clock.advance(60 * minute);
  await send({ to: ["bob@example.com"] });
  const deferred = await send({ to: ["bob@example.com"], whenLimited: "defer" });
  expect((await typesOf(deferred.id)).slice(0, 2)).toEqual(["accepted", "deferred"]);
});

test("an attempt that only some recipients passed says so beside the reply that another got", async () => {
  world.mailer.answerWith(({ envelope }) => ({
    recipients: envelope.to.map((address) =>
      address.startsWith("bob")
        ? { address, outcome: "refused", code: 550, reply: "550 5.1.1 unknown" }
        : { address, outcome: "accepted", code: 250, reply: "250 ok" },
    ),
    inDoubt: false,
  }));
  const wordsOf = async (to: string[]) => {
    const { id } = await send({ to });
    await world.posthorn.drain();
    return (await timelineOf(id)).find(({ type }) => type === "attempt")?.message;
  };
  expect(await wordsOf(["ada@example.com", "bob@example.com"])).toMatch(
    /^Attempt 1: accepted through .*, but not for every recipient: 550 5\.1\.1 unknown$/,
  );
  expect(await wordsOf(["ada@example.com", "eve@example.com"])).not.toContain("every");
});

test("an attempt in doubt says so in a sentence of its own behind the reply", async () => {
  world.mailer.answerWith(({ envelope }) => ({
    recipients: envelope.to.map((address) => ({ address, outcome: "deferred", reply: "connection lost" })),
    inDoubt: true,
  }));
  const { id } = await send({});
  await world.posthorn.drain();
  const attempt = (await timelineOf(id)).find(({ type }) => type === "attempt");
  expect(attempt?.message).toMatch(/: connection lost\. In doubt: the whole message was sent /);
});

test("a sensitive e-mail's timeline reveals nothing of its content", async () => {
  world.mailer.answerWith(acceptSlowly);
  const { id } = await send({ subject: "the subject", text: "the content", sensitive: true });
  await world.posthorn.drain();
  const text = JSON.stringify(await operatorsOf(id));
  expect(text).not.toMatch(/the subject|the content/);
  expect(await typesOf(id)).toEqual(["accepted", "attempt", "settled"]);
});
