import { expect, test } from "vitest";
import {
  database,
  get,
  hour,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../test/world-for-each.ts";

openDatabaseForEach();

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** Sends an e-mail whose link names somebody by a number, and follows the link. Returns the e-mail's id. */
async function sendAndClick(to: string[], link: string): Promise<string> {
  const html = `<a href="${link}">Your order</a>`;
  const { id } = await send({ html, to, tracking: { clicks: true } });
  await world.posthorn.drain();
  const mail = world.mailer.inbox.all().find(({ emailId }) => emailId === id);
  const token = /\/c\/([\w-]+)/.exec(mail?.html ?? "")?.[1] ?? "";
  world.clock.advance(hour);
  world.posthorn.followLink(token, { ip: "203.0.113.77", userAgent: firefox, isPrefetch: false });
  await world.posthorn.drain();
  return id;
}

const url = "https://hooks.example.com/";
const subscribe = () => world.posthorn.webhooks.create({ url, events: ["email.clicked"] }, workspace.asOwner);
const erase = async (email: string) => {
  await world.posthorn.recipients.erase({ email }, workspace.asOwner);
  await world.posthorn.drain();
};
/** Returns all that events and webhook deliveries tell of clicks. */
const known = () =>
  JSON.stringify([
    database.prepare("select metadata, message from posthorn_events where type = 'email.clicked'").all(),
    database.prepare("select payload from posthorn_webhook_deliveries").all(),
  ]);

test.each([
  [
    "an erasure removes the link that the person followed from events and webhooks, and no other's",
    [["ada@example.com"], ["bob@example.com"]],
  ],
  [
    "so does that of one among several recipients, as it may be theirs, but not that of somebody else",
    [
      ["ada@example.com", "bob@example.com"],
      ["bob@example.com", "eve@example.com"],
    ],
  ],
])("%s", async (_, [adas = [], others = []]) => {
  await subscribe();
  await sendAndClick(adas, "https://shop.example/of/4711");
  await sendAndClick(others, "https://shop.example/of/1800");
  expect(known().match(/4711/g)).toHaveLength(3);
  await erase("ada@example.com");
  const left = known();
  expect(left).not.toContain("4711");
  expect(left.match(/1800/g)).toHaveLength(3);
  expect(left.match(/agent_class/g)).toHaveLength(4);
});

test("so does that of an e-mail which the log has no more", async () => {
  await subscribe();
  const id = await sendAndClick(["ada@example.com"], "https://shop.example/of/4711");
  database.prepare("delete from posthorn_email_recipients").run();
  database.prepare("delete from posthorn_emails where uuid = ?").run(id);
  await erase("ada@example.com");
  expect(known()).not.toContain("4711");
  expect(known().match(/erased-/g)).toHaveLength(2);
});

test("an erasure removes what servers replied about the person, wherever it was told, and nobody else's", async () => {
  const replies: Record<string, [outcome: "refused" | "deferred", reply: string]> = {
    "ada@example.com gone": ["refused", "550 5.1.1 Mrs Lovelace has left"],
    "ada@example.com late": ["deferred", "450 4.2.1 Mrs Lovelace is away"],
    "bob@example.com gone": ["refused", "550 5.1.1 Mr Babbage has left"],
  };
  world.mailer.answerWith(({ envelope, subject }) => ({
    recipients: envelope.to.map((address) => {
      const [outcome, reply] = replies[`${address} ${subject}`] ?? ["accepted", "250 OK"];
      return { address, outcome, code: Number(reply.slice(0, 3)), reply };
    }),
    inDoubt: false,
  }));
  await world.posthorn.webhooks.create({ url, events: ["*"] }, workspace.asOwner);
  await send({ to: ["bob@example.com", "ada@example.com"], subject: "gone" });
  await send({ subject: "gone" });
  await send({ subject: "late" });
  await world.posthorn.drain();
  const tables = ["email_recipients", "email_attempts", "recipient_reports", "events", "webhook_deliveries"];
  const rowsOf = (table: string) => JSON.stringify(database.prepare(`select * from posthorn_${table}`).all());
  const telling = (name: string) => tables.filter((table) => rowsOf(table).includes(name));
  expect(telling("Lovelace")).toEqual(tables);
  await erase("ada@example.com");
  expect(telling("Lovelace")).toEqual([]);
  expect(telling("Babbage")).toEqual(tables);
});

test("contents are gone before an erasure is said to be complete, as its process may end at any time", async () => {
  const left: unknown[] = [];
  world.posthorn.on("recipient.erased", () => {
    left.push(...database.prepare("select text from posthorn_contents where text like '%Lovelace%'").all());
    left.push("complete");
  });
  await send({ to: ["ada@example.com"], text: "Dear Ada Lovelace" });
  await world.posthorn.drain();
  await erase("ada@example.com");
  expect(left).toEqual(["complete"]);
});

test("an erasure removes what endpoints answered to webhooks about the person, as answers repeat them, and no others", async () => {
  await world.posthorn.webhooks.create({ url, events: ["*"] }, workspace.asOwner);
  const echo = (body: string) => ({ kind: "response", status: 500, body, durationMs: 1 }) as const;
  world.http.answerWith(({ body }) => echo(`What is ${body}?`));
  await send({ subject: "For Mrs Lovelace" });
  await send({ subject: "For Mr Babbage", to: ["bob@example.com"] });
  await world.posthorn.drain();
  const answers = () =>
    JSON.stringify(database.prepare("select response_body from posthorn_webhook_deliveries").all());
  const babbages = answers().match(/Babbage/g)?.length;
  expect([answers().includes("Lovelace"), babbages]).toEqual([true, 1]);
  await erase("ada@example.com");
  expect([answers().includes("Lovelace"), answers().match(/Babbage/g)?.length]).toEqual([false, babbages]);
});

test("an erasure removes an address from a link whatever characters of it were encoded there", async () => {
  const email = "!o'neil*@example.com";
  // As JavaScript encodes it, and as most others do (RFC 3986).
  const forms = ["!o'neil*%40example.com", "%21o%27neil%2A%40example.com"];
  const metadata = Object.fromEntries(forms.map((form, at) => [at, `https://shop.example/?to=${form}`]));
  const { id } = await send({ to: [email, "bob@example.com"], metadata });
  await world.posthorn.drain();
  await erase(email);
  expect(Object.values((await get(id)).metadata)).toEqual(
    Array(2).fill(expect.stringMatching(/to=erased-[0-9a-f]{8}@invalid$/)),
  );
});
