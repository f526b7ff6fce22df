import { createClient } from "@posthorn/client";
import { posthornTransport } from "@posthorn/client/nodemailer";
import { createTransport, type SendMailOptions } from "nodemailer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "./start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const mail: SendMailOptions = {
  from: 'Shop "The" <hello@shop.example>',
  to: ["Ada <ada@example.com>", "bob@example.com"],
  cc: "cleo@example.com",
  bcc: { name: "", address: "dora@example.com" },
  replyTo: "help@shop.example",
  subject: "Häppy",
  html: "<p>Hi</p>",
  text: "Hi",
  headers: { "X-Order": "4711" },
};

test("nodemailer queues at a server, through a client", async () => {
  const { asOwner } = await server.world.addWorkspace();
  const { key } = await server.world.posthorn.apiKeys.create({ name: "k" }, asOwner);
  const transport = createTransport(posthornTransport({ client: createClient(server.url, { apiKey: key }) }));
  const info = await transport.sendMail(mail);
  expect(info).toMatchObject({
    accepted: ["ada@example.com", "bob@example.com", "cleo@example.com", "dora@example.com"],
    rejected: [],
  });
  const email = await server.world.posthorn.emails.get({ emailId: info.messageId }, asOwner);
  expect(email).toMatchObject({
    status: "queued",
    subject: "Häppy",
    from: expect.stringContaining("hello@shop.example"),
  });
  await server.world.posthorn.drain();
  expect(server.world.mailer.inbox.find({ to: "ada@example.com" })).toMatchObject({
    subject: "Häppy",
    text: "Hi",
  });
});

test("nodemailer queues in this process without a number where the service knows its workspace", async () => {
  const { posthorn } = server.world;
  const { id: workspaceId } = await server.world.addWorkspace();
  const transport = createTransport(posthornTransport({ posthorn: posthorn.workspace(workspaceId) }));
  const { messageId } = await transport.sendMail(mail);
  expect(await posthorn.emails.get({ emailId: messageId }, { workspaceId })).toMatchObject({
    subject: "Häppy",
  });

  // @ts-expect-error A service of many workspaces must be told which one.
  const nowhere = createTransport(posthornTransport({ posthorn }));
  await expect(nowhere.sendMail(mail)).rejects.toThrow("This call needs a workspace");
});

test("nodemailer queues in this process, in a workspace of the host", async () => {
  const { posthorn } = server.world;
  const { id: workspaceId } = await server.world.addWorkspace();
  const transport = createTransport(posthornTransport({ posthorn, workspaceId }));
  const { messageId } = await transport.sendMail(mail);
  const email = await posthorn.emails.get({ emailId: messageId }, { workspaceId });
  expect(email.recipients.map(({ kind, address }) => `${kind} ${address}`)).toEqual([
    "to ada@example.com",
    "to bob@example.com",
    "cc cleo@example.com",
    "bcc dora@example.com",
  ]);
});

test("sends attachments, an invitation and a sender on behalf of another, to a server and in this process", async () => {
  const { posthorn, mailer } = server.world;
  const { id: workspaceId, asOwner } = await server.world.addWorkspace();
  const { key } = await posthorn.apiKeys.create({ name: "k" }, asOwner);
  const content = ["BEGIN:VCALENDAR", "METHOD:REQUEST", "END:VCALENDAR", ""].join("\r\n");
  const ways = [{ client: createClient(server.url, { apiKey: key }) }, { posthorn, workspaceId }];
  for (const [index, way] of ways.entries()) {
    const to = `guest${index}@example.com`;
    await createTransport(posthornTransport(way)).sendMail({
      ...mail,
      to,
      cc: [],
      bcc: [],
      sender: "Desk <desk@shop.example>",
      icalEvent: { method: "REQUEST", content: Buffer.from(content) },
      html: '<img src="cid:logo">',
      attachments: [
        { filename: "a.txt", content: "häppy", contentType: "text/markdown" },
        {
          filename: "logo.png",
          content: Buffer.from([137, 80, 78, 71]),
          cid: "logo",
          contentDisposition: "inline",
        },
      ],
    });
    await posthorn.drain();
    const sent = mailer.inbox.find({ to });
    expect(sent).toMatchObject({
      sender: { name: "Desk", address: "desk@shop.example" },
      calendar: { method: "REQUEST", content },
      attachments: [
        { filename: "a.txt", contentType: "text/markdown", size: 6 },
        { filename: "logo.png", contentType: "image/png", contentId: "logo", size: 4 },
      ],
    });
  }
});

test("refuses unsupported fields by name, and passes on a refusal of the service", async () => {
  const { posthorn } = server.world;
  const { id: workspaceId } = await server.world.addWorkspace();
  const transport = createTransport(posthornTransport({ posthorn, workspaceId }));
  await expect(transport.sendMail({ ...mail, dsn: { id: "x" } } as never)).rejects.toThrow("dsn:");
  for (const file of [
    { content: "x", headers: { "X-A": "b" } },
    { raw: "Content-Type: text/plain\r\n\r\nx" },
    { content: "x", contentDisposition: "inline" as const },
    { content: "x", cid: "x", contentDisposition: "attachment" as const },
  ])
    await expect(transport.sendMail({ ...mail, attachments: [file] })).rejects.toThrow(
      `attachments.0.${Object.keys(file).at(-1)}:`,
    );
  await expect(transport.sendMail({ ...mail, icalEvent: { content: "BEGIN" } })).rejects.toMatchObject({
    code: "validation_failed",
  });
  await expect(transport.sendMail({ ...mail, raw: "x" })).rejects.toThrow("raw:");
  await expect(transport.sendMail({ ...mail, priority: "high" })).rejects.toThrow(/^priority: .*Importance/);
  const authors = "Ada <ada@shop.example>, bob@shop.example";
  await expect(transport.sendMail({ ...mail, from: authors })).rejects.toThrow("from:");
  await expect(transport.sendMail({ ...mail, to: "nobody" })).rejects.toMatchObject({
    code: "validation_failed",
  });
});

test("nodemailer's groups are their members, and its lists of headers have names, each once", async () => {
  const { posthorn } = server.world;
  const { id: workspaceId } = await server.world.addWorkspace();
  const transport = createTransport(posthornTransport({ posthorn: posthorn.workspace(workspaceId) }));
  const headers = [
    { key: "X-Order", value: "4711" },
    { key: "X-Count", value: 2 },
  ] as { key: string; value: string }[];
  const to = "Crew: eve@example.com, Rob <rob@example.com>;";
  const { accepted } = await transport.sendMail({ ...mail, to, headers });
  expect(accepted).toEqual(["eve@example.com", "rob@example.com", "cleo@example.com", "dora@example.com"]);
  await posthorn.drain();
  expect(server.world.mailer.inbox.find({ to: "rob@example.com" })?.headers).toEqual(
    expect.arrayContaining([
      { name: "X-Order", value: "4711" },
      { name: "X-Count", value: "2" },
    ]),
  );
  for (const repeated of [{ "X-Order": ["1", "2"] }, { "X-Order": "1", "x-order": "2" }])
    await expect(transport.sendMail({ ...mail, headers: repeated })).rejects.toThrow(
      /^headers.x-order: Posthorn's e-mails have a header field of a name once$/i,
    );
});

test("a transport to nowhere is refused at once", () => {
  const client = createClient("http://mail.example", { apiKey: "sk_a" });
  for (const options of [undefined, client, { client: {} }, { service: server.world.posthorn }])
    expect(() => posthornTransport(options as unknown as { client: typeof client })).toThrow(
      new TypeError(
        "posthornTransport takes { client }, which createClient makes, or { posthorn }, which createPosthorn makes",
      ),
    );
});
