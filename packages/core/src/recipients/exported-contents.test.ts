import { expect, test } from "vitest";
import { host, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";

openWorldForEach();

type Line = Record<string, unknown> & { row?: Record<string, string> };

async function exported(email: string): Promise<Line[]> {
  const { content } = await world.posthorn.recipients.export({ email }, workspace.asOwner);
  let text = "";
  for await (const chunk of content) text += Buffer.from(chunk).toString();
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as Line);
}

const [ada, bob] = ["ada@people.example", "bob@others.example"];

test("an export has the texts and the files of e-mails without a template, but no secret", async () => {
  const { emails, templates } = world.posthorn;
  await templates.create({ name: "welcome", subject: "Hi", text: "From a template" }, workspace.asOwner);
  const attachments = [
    { filename: "bill.txt", contentType: "text/plain", content: Buffer.from("7 Euro").toString("base64") },
  ];
  const order = { subject: "Yours", html: "<p>Dear Ada</p>", text: "Dear Ada", to: [ada] };
  await emails.send({ ...order, attachments }, host());
  await emails.send({ ...order, text: "Code 123", sensitive: true }, host());
  await emails.sendTemplate({ template: "welcome", to: [ada] }, host());
  const lines = (await exported(ada)).filter(({ type }) => type === "email");
  expect(lines.map(({ html, text, attachments: files }) => ({ html, text, files }))).toEqual([
    {
      ...{ html: order.html, text: order.text },
      files: [{ filename: "bill.txt", content_type: "text/plain", size: 6, content_id: null }],
    },
    { html: null, text: null, files: [] },
    { html: null, text: null, files: [] },
  ]);
  expect(JSON.stringify(lines)).not.toContain("Code 123");
});

test("an export has the header fields, the address for answers, the list and the invitation of an e-mail", async () => {
  const calendar = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Shop//EN",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    "UID:1@shop.example",
    "DTSTAMP:20260101T090000Z",
    "DTSTART:20260102T090000Z",
    `ATTENDEE:mailto:${ada}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");
  const mail = { subject: "Yours", text: "See you", to: [ada] };
  const details = {
    replyTo: ["Shop <answers@shop.example>"],
    headers: { "X-Customer": "Ada L., no. 7" },
    unsubscribe: { list: "news" },
    calendar,
  };
  await world.posthorn.emails.send({ ...mail, ...details }, host());
  await world.posthorn.emails.send(mail, host());
  await world.posthorn.emails.send({ ...mail, ...details, sensitive: true }, host());
  const lines = (await exported(ada)).filter(({ type }) => type === "email");
  const told = lines.map(({ reply_to, sender, headers, unsubscribe_list, calendar: invitation }) => ({
    ...{ reply_to, sender, headers, unsubscribe_list, invitation },
  }));
  const none = { reply_to: [], sender: null, headers: {}, unsubscribe_list: null, invitation: null };
  expect(told).toEqual([
    {
      reply_to: ["Shop <answers@shop.example>"],
      sender: null,
      headers: details.headers,
      unsubscribe_list: "news",
      invitation: { method: "REQUEST", content: expect.stringContaining(`ATTENDEE:mailto:${ada}`) },
    },
    none,
    none,
  ]);
});

test("an export tells which e-mail a place on a campaign's list or a suppression is about, and why there is none", async () => {
  const { campaigns, suppressions } = world.posthorn;
  const mail = { subject: "Hi", text: "Hello", from: "shop@shop.example", unsubscribe: false as const };
  const start = async (name: string) => {
    const { id } = await campaigns.create(
      { ...mail, name, recipients: [{ to: "Ada@people.example" }] },
      host(),
    );
    await campaigns.start({ campaignId: id }, host());
    await world.posthorn.drain();
  };
  await start("Spring");
  await suppressions.create({ email: ada }, workspace.asOwner);
  await start("Summer");
  const lines = await exported(ada);
  const of = (wanted: string) => lines.filter(({ type }) => type === wanted);
  const [sent] = of("email");
  expect(of("campaign_recipient")).toMatchObject([
    { campaign: "Spring", address: "Ada@people.example", reason: "", email_id: sent?.["id"] },
    { campaign: "Summer", state: "skipped", reason: "recipient_suppressed", email_id: null },
  ]);
  expect(of("suppression")).toMatchObject([{ address: ada, email_id: null }]);
});

test("e-mails with large texts are read a few at once", async () => {
  const order = { subject: "Yours", text: "x".repeat(400_000), to: [ada] };
  for (let sent = 0; sent < 3; sent += 1) await world.posthorn.emails.send(order, host());
  const person = { workspaceId: workspace.id, address: ada, addressKey: ada };
  const { emails, next } = await world.storage.recipients.readEmails(person, 0, 0);
  expect([emails.length, next !== undefined]).toEqual([2, true]);
});

test("an export shows no other recipient in what the logs have of the same e-mail", async () => {
  const { posthorn, storage } = world;
  await posthorn.webhooks.create({ url: "https://hooks.example.com/", events: ["*"] }, workspace.asOwner);
  const { id } = await posthorn.emails.send(
    { subject: "Hi", text: "x", to: [ada, bob], metadata: { for: ada }, idempotencyKey: `to-${ada}` },
    host(),
  );
  await posthorn.drain();
  const effect = { kind: "bounce", class: "hard", category: "x", effect: "noted" } as const;
  await storage.reports.keep({
    ...{ id: crypto.randomUUID(), workspaceId: workspace.id, kind: "notification", source: "dsn" },
    ...{ emailId: id, createdAt: world.clock.now(), digest: "d", raw: "cmF3" },
    effects: [bob, ada].map((recipient) => ({ ...effect, recipient })),
  });
  const lines = await exported(ada);
  const of = (log: string) => lines.flatMap(({ type, row }) => (type === log && row ? [row] : []));
  expect(of("inbound_reports").map(({ effects }) => JSON.parse(effects ?? "") as unknown)).toEqual([
    [{ ...effect, recipient: ada }],
  ]);
  expect(of("webhook_deliveries")).not.toEqual([]);
  const [answered] = of("idempotency_keys");
  expect(answered?.["key"]).toBe(`to-${ada}`);
  expect(JSON.parse(answered?.["answer"] ?? "")).toMatchObject({ to: [ada, "(another address)"] });
  expect(JSON.stringify(lines)).not.toContain(bob);
});
