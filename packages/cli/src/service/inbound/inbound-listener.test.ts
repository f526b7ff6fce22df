import { on, once } from "node:events";
import { connect } from "node:net";
import type { Logger } from "@posthorn/core";
import { silentLogger } from "@posthorn/core/internal";
import { createWorld } from "@posthorn/core/testing";
import { createTransport } from "nodemailer";
import { expect, onTestFinished, test, vi } from "vitest";
import { passTime, stopTime } from "../../../../mailer-smtp/test/pass-time.ts";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { listenForReports } from "./inbound-listener.ts";

async function open({
  logger = silentLogger,
  returnPathDomain = "bounces.example",
  onCall = () => {},
}: {
  logger?: Logger;
  returnPathDomain?: string;
  /** Called for each recipient and each message. */
  onCall?: () => void;
} = {}) {
  const world = await createWorld(await openTestSqlite(), { returnPathDomain });
  onTestFinished(() => world.close());
  const workspace = await world.addWorkspace();
  const { knowsAddress, receiveMessage, ...others } = world.posthorn.inbound;
  const inbound: typeof world.posthorn.inbound = {
    ...others,
    knowsAddress(...given) {
      onCall();
      return knowsAddress(...given);
    },
    receiveMessage(...given) {
      onCall();
      return receiveMessage(...given);
    },
  };
  const settings = { name: "mx.bounces.example", port: 0, host: "127.0.0.1", logger };
  const listener = await listenForReports({ inbound }, settings);
  onTestFinished(() => listener.close());
  const transport = createTransport({ host: "127.0.0.1", port: listener.port, ignoreTLS: true });
  onTestFinished(() => transport.close());
  const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com"] };
  const { id } = await world.posthorn.emails.send(mail, { workspaceId: workspace.id });
  await world.posthorn.drain();
  const [sent] = world.mailer.inbox.all();
  const { port } = listener;
  return { world, workspace, transport, listener, port, id, returnPath: sent?.envelope.from ?? "" };
}

/** Sends lines once the server has greeted; returns its replies, line by line. */
async function rawConversation(port: number, lines: string): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  socket.once("data", () => socket.write(lines));
  for await (const chunk of socket.setEncoding("latin1")) said += chunk as string;
  return said.split("\r\n");
}

const notification = (more: string[] = []): string =>
  [
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example",
    ...more,
    "",
    "Final-Recipient: rfc822; ada@example.com",
    "Action: failed",
    "Status: 5.1.1",
    "--b--",
  ].join("\r\n");

test("introduces itself by the name of the MX record, offers what it does, and refuses all else", async () => {
  const { port, returnPath } = await open();
  const to = Array.from({ length: 101 }, (_, number) => returnPath.replace("bounces", `b${number}`));
  const commands = [
    ...["EHLO relay.example", "STARTTLS", "AUTH PLAIN AA==", "BDAT 3 LAST", "WIZ a", "MAIL FROM:<>"],
    ...to.map((address) => `RCPT TO:<${address}>`),
    // Only a dot between CRLFs ends a message.
    ...["DATA", "a\n.\nMAIL FROM:<>\r\n.\nb", ".", "QUIT", ""],
  ];
  const said = await rawConversation(port, commands.join("\r\n"));
  expect(said.slice(0, 10)).toEqual([
    "220 mx.bounces.example ESMTP",
    ...["mx.bounces.example", "PIPELINING", "8BITMIME", "SMTPUTF8"].map((line) => `250-${line}`),
    "250 SIZE 67108864",
    ...Array(4).fill("500 Error: command not recognized"),
  ]);
  expect(said.slice(10, -5)).toEqual(Array(101).fill("250 Accepted"));
  expect(said.slice(-5)).toEqual([
    "452 4.5.3 too many recipients",
    expect.stringMatching(/^354 /),
    "250 OK: message queued",
    "221 Bye",
    "",
  ]);
});

test("refuses parameters of MAIL and RCPT that it did not offer, and takes the others", async () => {
  const { port, returnPath } = await open();
  const commands = [
    ...["EHLO relay.example", "MAIL FROM:<> RET=HDRS", "MAIL FROM:<> BODY=8BITMIME ENVID=a"],
    `RCPT TO:<${returnPath}>`,
    ...["MAIL FROM:<> SIZE=10 BODY=8BITMIME SMTPUTF8", `RCPT TO:<${returnPath}> NOTIFY=NEVER`],
    ...[`RCPT TO:<${returnPath}>`, "QUIT", ""],
  ];
  const said = await rawConversation(port, commands.join("\r\n"));
  expect(said.slice(6)).toEqual([
    ...Array(2).fill("555 5.5.4 parameter not recognised"),
    "503 Error: need MAIL command",
    ...["250 Accepted", "555 5.5.4 parameter not recognised", "250 Accepted", "221 Bye", ""],
  ]);
});

test("takes a sender whose address breaks the rules, and no recipient that only resembles one of ours", async () => {
  const { port, returnPath } = await open();
  const [token = "", domain = ""] = returnPath.split("@");
  const commands = ["EHLO relay.example"];
  for (const from of [`device.@${domain}`, `${"v".repeat(300)}@mx.example`, "#@[]"])
    commands.push(`MAIL FROM:<${from}>`, `RCPT TO:<${token}.@${domain}>`, `RCPT TO:<${returnPath}>`, "RSET");
  const said = await rawConversation(port, [...commands, "QUIT", ""].join("\r\n"));
  expect(said.slice(6, -2)).toEqual(
    Array(3).fill(["250 Accepted", "550 5.1.1 no such address here", "250 Accepted", "250 Flushed"]).flat(),
  );
});

test("a bounce to the return path of an e-mail suppresses its recipient, once it is stored", async () => {
  const { world, workspace, transport, id, returnPath } = await open();
  expect(returnPath).toMatch(/^b-[a-z2-7]{26}@bounces\.example$/);
  await transport.sendMail({ envelope: { from: "", to: [returnPath.toUpperCase()] }, raw: notification() });
  const { items } = await world.posthorn.suppressions.list({}, workspace.asOwner);
  expect(items).toMatchObject([{ email: "ada@example.com", origin: "bounce", emailId: id }]);
  const log = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
  expect(log.items[0]).toMatchObject({ type: "suppression.created", actorName: "The inbound port" });
});

test("a forged bounce with the e-mail's real Message-ID is recorded, and suppresses nobody", async () => {
  const { world, workspace, transport, id } = await open();
  const raw = notification([`Original-Envelope-Id: ${id}`]);
  await transport.sendMail({ envelope: { from: "", to: ["fbl@bounces.example"] }, raw });
  const { items } = await world.posthorn.inbound.list({}, workspace.asOwner);
  expect(items).toMatchObject([
    { emailId: id, effects: [{ category: "invalid_recipient", effect: "noted" }] },
  ]);
  expect((await world.posthorn.suppressions.list({}, workspace.asOwner)).total).toBe(0);
});

test("commands that a client sends ahead leave the event loop to others after each recipient and message", async () => {
  let turn = 0;
  const calls = new Map<number, number>();
  const { port } = await open({ onCall: () => calls.set(turn, (calls.get(turn) ?? 0) + 1) });
  let isOver = false;
  const nextTurn = (): void => {
    turn += 1;
    if (!isOver) setImmediate(nextTurn);
  };
  nextTurn();
  const stranger = "RCPT TO:<ada@example.com>\r\n".repeat(50);
  const message = `${stranger}RCPT TO:<fbl@bounces.example>\r\nDATA\r\nSubject: Hi\r\n\r\nHello\r\n.\r\n`;
  const said = await rawConversation(port, `EHLO a\r\n${`MAIL FROM:<>\r\n${message}`.repeat(5)}QUIT\r\n`);
  isOver = true;
  expect(said.filter((line) => line.startsWith("250 OK"))).toHaveLength(5);
  expect([...calls.values()].reduce((sum, count) => sum + count)).toBe(260);
  expect(Math.max(...calls.values())).toBe(1);
});

test("takes complaints at an international domain, which mail servers write in ASCII", async () => {
  const { port } = await open({ returnPathDomain: "bounces.münchen.example" });
  const to = [
    "fbl@bounces.xn--mnchen-3ya.example",
    "FBL@BOUNCES.XN--MNCHEN-3YA.EXAMPLE",
    "fbl@münchen.example",
  ];
  const said = await rawConversation(
    port,
    ["EHLO a", "MAIL FROM:<>", ...to.map((address) => `RCPT TO:<${address}>`), "QUIT", ""].join("\r\n"),
  );
  expect(said.filter((line) => /Accepted|5\.1\.1/.test(line)).slice(1)).toEqual([
    "250 Accepted",
    "250 Accepted",
    "550 5.1.1 no such address here",
  ]);
});

test("takes a bounce that returns the e-mail with all its files, and keeps its beginning", async () => {
  const { world, workspace, transport, returnPath } = await open();
  const parts = notification().replace(
    /--b--$/,
    "--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: Hi\r\n\r\n",
  );
  const raw = `${parts}${`${"x".repeat(76)}\r\n`.repeat(40_000)}--b--\r\n`;
  await transport.sendMail({ envelope: { from: "", to: [returnPath], size: raw.length }, raw });
  const { items } = await world.posthorn.suppressions.list({}, { workspaceId: workspace.id });
  expect(items.map(({ email }) => email)).toEqual(["ada@example.com"]);
  const [report] = (await world.posthorn.inbound.list({}, { workspaceId: workspace.id })).items;
  const { raw: kept } = await world.posthorn.inbound.get(
    { reportId: report?.id ?? "" },
    { workspaceId: workspace.id },
  );
  expect(kept).toBe(raw.slice(0, 1_048_576));
});

test("refuses any other recipient", async () => {
  const { transport, returnPath } = await open();
  const others = [returnPath.replace(/^b-..../, "b-aaaa"), `${returnPath}${".a".repeat(500)}`];
  for (const address of ["postmaster@bounces.example", "ada@example.com", "fbl@other.example", ...others])
    await expect(
      transport.sendMail({ envelope: { from: "", to: [address] }, raw: notification() }),
    ).rejects.toMatchObject({ responseCode: 550 });
});

test("reports no fault of its own when a client hangs up within a message", async () => {
  const logger = { ...silentLogger, debug: vi.fn(), error: vi.fn() };
  const { port, returnPath } = await open({ logger });
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  const commands = ["EHLO a", "MAIL FROM:<>", `RCPT TO:<${returnPath}>`, "DATA", "Subject: half"];
  let said = "";
  for await (const chunk of socket) {
    said += chunk as string;
    if (!/^\d{3} .*\r\n$/m.test(said)) continue;
    said = "";
    socket.write(`${commands.shift()}\r\n`);
    if (commands.length === 0) break;
  }
  await expect
    .poll(() => logger.debug.mock.calls)
    .toContainEqual([expect.anything(), "a connection to the inbound port broke off"]);
  expect(logger.error).not.toHaveBeenCalled();
});

/** Connects from an address of loopback, and resolves to the socket and the server's first words. */
async function greeted(port: number, localAddress = "127.0.0.1", allowHalfOpen = false) {
  const to = { port, host: "127.0.0.1", localAddress, allowHalfOpen };
  const socket = connect(to).setEncoding("latin1");
  onTestFinished(() => void socket.destroy());
  const [greeting] = (await once(socket, "data")) as [string];
  return { socket, greeting };
}

test("stops without waiting for clients that have sent nothing, and takes a message that is under way", async () => {
  onTestFinished(stopTime());
  const { port, returnPath, listener } = await open();
  const { socket: busy } = await passTime(greeted(port), { stepMs: 10 });
  // It does not hang up.
  const { socket: idle } = await passTime(greeted(port, "127.0.0.1", true), { stepMs: 10 });
  busy.write(`HELO a\r\nMAIL FROM:<>\r\nRCPT TO:<${returnPath}>\r\nDATA\r\n`);
  for await (const [said] of on(busy, "data")) if (String(said).includes("354 ")) break;
  const closed = listener.close();
  expect(await once(idle, "data")).toEqual(["421 4.3.2 shutting down\r\n"]);
  busy.write("Subject: Hi\r\n\r\nHello\r\n.\r\n");
  expect(await once(busy, "data")).toEqual([expect.stringMatching(/^250 /)]);
  busy.end("QUIT\r\n");
  const before = performance.now();
  await passTime(closed, { stepMs: 100 });
  expect(performance.now() - before).toBeLessThan(2_000);
});

test("ends a client that names no known address, however often it says something, and no other", async () => {
  onTestFinished(stopTime());
  const { port, returnPath } = await open();
  const { socket } = await passTime(greeted(port), { stepMs: 10 });
  const other = (await passTime(greeted(port), { stepMs: 10 })).socket;
  let toOther = "";
  const known = new Promise<void>((resolve) => {
    other.on("data", (chunk: string) => {
      toOther += chunk;
      if (toOther.includes("250 Accepted\r\n250 Accepted")) resolve();
      other.write("NOOP\r\n");
    });
  });
  other.write(`HELO a\r\nMAIL FROM:<>\r\nRCPT TO:<${returnPath}>\r\n`);
  await passTime(known, { stepMs: 10 });
  let said = "";
  let lines = 0;
  const ended = once(socket, "close");
  socket.on("data", (chunk: string) => {
    said += chunk;
    lines += 1;
    if (!said.includes("421")) socket.write("NOOP\r\n");
  });
  socket.write("NOOP\r\n");
  await passTime(ended, { stepMs: 1_000 });
  expect(lines).toBeGreaterThan(10);
  expect(said).toMatch(/421 4\.4\.2 this takes too long\r\n$/);
  expect(toOther).not.toContain("421");
});
