import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { Mailer } from "../../../ports/mailer.ts";
import { createWorld } from "../../../testing/index.ts";

const ada = { address: "ada@example.com", outcome: "accepted", reply: "250 ok" };
const bob = { ...ada, address: "bob@example.com" };

test.each<[what: string, result: unknown, fault: string, states: string[]]>([
  ["nothing", undefined, "recipients is not a list", ["deferred", "deferred"]],
  ["null", null, "recipients is not a list", ["deferred", "deferred"]],
  ["true", true, "recipients is not a list", ["deferred", "deferred"]],
  ["no recipients", { ok: true }, "recipients is not a list", ["deferred", "deferred"]],
  ["no doubt", { recipients: [ada, bob] }, "inDoubt is not true or false", ["accepted", "accepted"]],
  [
    "another outcome",
    { recipients: [ada, { ...bob, outcome: "ok" }], inDoubt: false },
    "an outcome is not accepted, deferred or refused",
    ["accepted", "deferred"],
  ],
  [
    "no reply",
    { recipients: [ada, { ...bob, reply: undefined }], inDoubt: false },
    "a reply is not a text",
    ["accepted", "accepted"],
  ],
  [
    "no reply of a recipient that was not reached",
    { recipients: [ada, { ...bob, outcome: "deferred", reply: undefined }], inDoubt: false },
    "a reply is not a text",
    ["accepted", "deferred"],
  ],
  [
    "a text as the code",
    { recipients: [{ ...ada, code: "250" }, null], inDoubt: false },
    "a code is not an integer of three digits",
    ["accepted", "deferred"],
  ],
  [
    "a code that no storage has room for",
    { recipients: [{ ...ada, code: 2.5e20 }, bob], inDoubt: false },
    "a code is not an integer of three digits",
    ["accepted", "accepted"],
  ],
  [
    "a hold without an end",
    { recipients: [], held: { cause: "limited", reason: "slow" }, inDoubt: false },
    "held has no cause, reason or retryAfterMs",
    ["deferred", "deferred"],
  ],
  ...[[null], [{}], [{ step: "data", ms: 1, reply: 250 }], [{ step: "data", ms: 1, error: {} }], "none"].map(
    (steps): [string, unknown, string, string[]] => [
      `the steps ${JSON.stringify(steps)}`,
      { recipients: [ada, bob], inDoubt: false, steps },
      "steps is not a list of steps",
      ["accepted", "accepted"],
    ],
  ),
])("a mailer's result with %s is recorded as far as it can be read", async (_, result, fault, states) => {
  const mailer: Mailer = {
    ...{ concurrency: 1, verify: async () => undefined, close: async () => {} },
    send: async () => result as never,
  };
  const world = await createWorld(await openTestSqlite(), { mailer });
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com", "bob@example.com"] };
  const { id: emailId } = await world.posthorn.emails.send(mail, { workspaceId });
  await world.posthorn.drain();
  const { recipients, attempts } = await world.posthorn.emails.get({ emailId }, { workspaceId });
  expect(recipients.map(({ state }) => state)).toEqual(states);
  expect(attempts).toMatchObject([{ inDoubt: true }]);
  for (const { state, lastReply } of recipients)
    if (state === "deferred") expect(lastReply).toBe(`the mailer's result can't be read: ${fault}`);
  await world.close();
});

test("a mailer's reply and its reason for a hold are kept as one line of at most 1 KiB", async () => {
  const text = `452 later\r\n\0\u001b[31m${"é\n".repeat(500_000)}`;
  const mailer: Mailer = {
    ...{ concurrency: 1, verify: async () => undefined, close: async () => {} },
    send: async ({ envelope: { to } }) => {
      const address = to[0] ?? "";
      const recipients = [{ address, outcome: "deferred", reply: text } as const];
      const held = { cause: "limited", reason: text, retryAfterMs: 60_000 } as const;
      return { recipients, inDoubt: false, ...(address.startsWith("ada") ? {} : { held }) };
    },
  };
  const world = await createWorld(await openTestSqlite(), { mailer });
  const { id: workspaceId } = await world.addWorkspace();
  const mail = { subject: "Hi", text: "Hello" };
  const { id: emailId } = await world.posthorn.emails.send(
    { ...mail, to: ["ada@example.com"] },
    { workspaceId },
  );
  await world.posthorn.emails.send({ ...mail, to: ["bob@example.com"] }, { workspaceId });
  await world.posthorn.drain();
  const { recipients } = await world.posthorn.emails.get({ emailId }, { workspaceId });
  const { routes } = await world.posthorn.queue.status({});
  for (const kept of [recipients[0]?.lastReply, routes[0]?.holds[0]?.reason.replace("limited: ", "")]) {
    expect(kept).toMatch(/^452 later \[31mé é [é ]+$/);
    expect(Buffer.byteLength(kept ?? "")).toBeLessThanOrEqual(1024);
  }
  await world.close();
});

test.each<[what: string, given: string, recipients: string[], states: string[], missing: number[]]>([
  ["in lower case", "Ada@Example.com", ["ada@example.com", "bob@example.com"], ["accepted", "accepted"], []],
  [
    "with the domain in Unicode",
    "ada@bücher.example",
    ["ada@BÜCHER.example", "bob@example.com"],
    ["accepted", "accepted"],
    [],
  ],
  [
    "in angle brackets",
    "ada@example.com",
    ["<ada@example.com>", '"Bob" <bob@example.com>'],
    ["accepted", "accepted"],
    [],
  ],
  [
    "of somebody else",
    "ada@example.com",
    ["eve@example.com", "bob@example.com"],
    ["deferred", "accepted"],
    [1],
  ],
])(
  "a mailer's result that names a recipient %s is that of the one meant, if any",
  async (_, given, named, states, missing) => {
    const mailer: Mailer = {
      ...{ concurrency: 1, verify: async () => undefined, close: async () => {} },
      send: async () => ({
        recipients: named.map((address) => ({ address, outcome: "accepted", reply: "250 ok" })),
        inDoubt: false,
      }),
    };
    const warned: unknown[] = [];
    const warn = (told: object) => void warned.push(told);
    const logger = { debug() {}, info() {}, warn, error: warn };
    const world = await createWorld(await openTestSqlite(), { mailer, logger });
    const { id: workspaceId } = await world.addWorkspace();
    const mail = { subject: "Hi", text: "Hello", to: [given, "bob@example.com"] };
    const { id: emailId } = await world.posthorn.emails.send(mail, { workspaceId });
    await world.posthorn.drain();
    const { recipients } = await world.posthorn.emails.get({ emailId }, { workspaceId });
    expect(recipients.map(({ state }) => state)).toEqual(states);
    expect(warned).toEqual(missing.map((count) => ({ emailId, missing: count })));
    await world.close();
  },
);
