import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { openWorldForEach, workspace as shop, world } from "../../../test/world-for-each.ts";
import { createWorld } from "../../testing/index.ts";

openWorldForEach({ returnPathDomain: "in.post.example" });

const operator = { as: { kind: "operator", name: "test" } } as const;
const verbs = () => world.posthorn.workspace(shop.id);
/** Sends a mail of the list. Returns the address and subject of its unsubscribe mail. */
async function sent(list: string | undefined = "news") {
  world.mailer.inbox.clear();
  const unsubscribe = list === "" ? {} : { unsubscribe: { list } };
  const mail = { subject: "News", text: "x", to: ["Ada <Ada@example.com>"], ...unsubscribe };
  const { id } = await verbs().emails.send(mail);
  await world.posthorn.drain();
  const [message] = world.mailer.inbox.all();
  const value = (wanted: string) => message?.headers.find(({ name }) => name === wanted)?.value ?? "";
  const [, address = "", subject = ""] =
    /<mailto:([^?>]+)\?subject=([^>]+)>/.exec(value("List-Unsubscribe")) ?? [];
  return { id, field: value("List-Unsubscribe"), ref: value("X-Service-Ref"), address, subject };
}
const arrive = (address: string, head: Record<string, string>, body = "") =>
  world.posthorn.inbound.receiveMessage(
    {
      message: `${Object.entries({ From: "ada@example.com", To: address, ...head })
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n${body}`,
      recipients: [address],
    },
    operator,
  );
const suppressed = async () =>
  (await verbs().suppressions.list()).items.map(({ email, scope, origin }) => `${email} ${scope} ${origin}`);
const told = async () =>
  (
    await world.storage.events.list(
      { type: "email.unsubscribed", workspaceId: shop.id },
      { offset: 0, limit: 9 },
    )
  ).total;

test("e-mails of a list offer unsubscribing by e-mail, with a matching address and subject", async () => {
  const { field, address, subject, ref } = await sent();
  expect(field).toMatch(
    /^<https?:\/\/\S+\/u\/v1\.[\w-]+>, <mailto:u-[a-z2-7]{26}@in\.post\.example\?subject=unsubscribe%20v1\.[\w-]+>$/,
  );
  expect(field.length).toBeLessThan(900);
  expect(address).toBe(`u-${ref}@in.post.example`);
  expect(decodeURIComponent(subject)).toMatch(/^unsubscribe v1\./);
  expect(await world.posthorn.inbound.knowsAddress({ address }, operator)).toBe(true);
  expect((await sent("")).field).toBe("");
});

test("an e-mail to it unsubscribes from that list, once, however often it arrives", async () => {
  const { address, subject } = await sent();
  for (let time = 0; time < 3; time += 1) await arrive(address, { Subject: decodeURIComponent(subject) });
  expect(await suppressed()).toEqual(["Ada@example.com news unsubscribe"]);
  expect(await told()).toBe(1);
});

test.each([
  ["no subject", {}],
  ["another subject", { Subject: "stop it" }],
  ["a folded subject", { Subject: "unsubscribe\r\n v1.aaaa\r\n bbbb" }],
])("it is recognised by its address with %s, in any case", async (_, head) => {
  const { address } = await sent();
  await arrive(address.toUpperCase(), head);
  expect(await suppressed()).toEqual(["Ada@example.com news unsubscribe"]);
});

test.each([
  ["folded anywhere", (subject: string) => subject.replace(/^(.{40})/, "$1\r\n ")],
  ["behind a prefix", (subject: string) => `Re: ${subject}`],
  [
    "encoded, as Python encodes a long word",
    (subject: string) => subject.replace(/v1.*/, (token) => token.replace(/.{1,40}/g, encodedLine)),
  ],
])("it is recognised by its subject after the e-mail is removed, %s", async (_, written) => {
  const { address, subject } = await sent();
  await world.storage.emails.deleteBefore(shop.id, world.clock.now() + 1, 10);
  await arrive(address, { Subject: "unsubscribe" });
  expect(await suppressed()).toEqual([]);
  await arrive(address, { Subject: written(decodeURIComponent(subject)) });
  expect(await suppressed()).toEqual(["Ada@example.com news unsubscribe"]);
});

test("of an erased recipient it is recognised by its subject alone: the stand-in is nobody to suppress", async () => {
  const { address, subject } = await sent();
  await verbs().recipients.erase({ email: "ada@example.com" });
  await world.posthorn.drain();
  await arrive(address, { Subject: "stop it" });
  expect([await suppressed(), await told()]).toEqual([[], 0]);
  await arrive(address, { Subject: decodeURIComponent(subject) });
  expect(await suppressed()).toEqual([expect.stringMatching(/^erased-\w+@invalid news unsubscribe$/)]);
  expect(await told()).toBe(1);
  const checked = await verbs().suppressions.check({ emails: ["ada@example.com"], scope: "news" });
  expect(checked).toMatchObject([{ suppressed: true }]);
});

const encodedLine = (part: string) =>
  `=?utf-8?q?${part.replaceAll(".", "=2E").replaceAll("_", "=5F")}?=\r\n `;

// RFC 3834 has mail clients mark what they send at a click; automatic replies go to the return path.
test("it unsubscribes though a mail client sent it by itself, at its owner's click", async () => {
  const { address } = await sent();
  await arrive(address, { "Auto-Submitted": "auto-generated", Subject: "unsubscribe" });
  expect(await suppressed()).toEqual(["Ada@example.com news unsubscribe"]);
});

test("forged addresses, e-mails of no list, misdirected notifications, and letters to the return path unsubscribe nobody", async () => {
  const { address } = await sent();
  const forged = address.replace(/^u-(.)/, (_, first) => `u-${first === "a" ? "b" : "a"}`);
  expect(await world.posthorn.inbound.knowsAddress({ address: forged }, operator)).toBe(false);
  await arrive(forged, { Subject: "unsubscribe" });
  await arrive(address.replace(/^u/, "b"), { Subject: "unsubscribe" });
  const none = await sent("");
  await arrive(`u-${none.ref}@in.post.example`, { Subject: "unsubscribe" });
  await arrive(
    address,
    { "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"' },
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822; ada@example.com\r\nAction: failed\r\nStatus: 4.2.2\r\n\r\n--b--\r\n",
  );
  expect(await suppressed()).toEqual([]);
  expect(await told()).toBe(0);
});

test("a service that receives no mail has no such address", async () => {
  const other = await createWorld(await openTestSqlite());
  const { id } = await other.addWorkspace();
  const mail = { subject: "News", text: "x", to: ["a@example.com"], unsubscribe: { list: "news" } };
  await other.posthorn.emails.send(mail, { workspaceId: id });
  await other.posthorn.drain();
  const [message] = other.mailer.inbox.all();
  const field = message?.headers.find(({ name }) => name === "List-Unsubscribe");
  expect(field?.value).not.toContain("mailto:");
  await other.close();
});
