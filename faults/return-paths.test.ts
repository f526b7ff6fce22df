import type { Socket } from "node:net";
import { silentLogger } from "@posthorn/core/internal";
import { createWorld } from "@posthorn/core/testing";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { listenForReports } from "../packages/cli/src/service/inbound/inbound-listener.ts";
import { startScriptedServer } from "../packages/mailer-smtp/test/start-scripted-server.ts";
import { findFreePort } from "../packages/storage-postgres/test/find-free-port.ts";
import { needProgram, needRoot } from "./needs.ts";
import { startPostfix } from "./start-postfix.ts";

/** Replies of the recipients' own server, and how the bounce must be classified. */
const refusals = {
  "gone@else.example": { reply: "550 5.1.1 no such user", class: "hard", category: "invalid_recipient" },
  "full@else.example": { reply: "552 5.2.2 mailbox full", class: "soft", category: "mailbox_full" },
  "blocked@else.example": { reply: "550 5.7.1 refused by local policy", class: "block", category: "policy" },
} as const;

test("an e-mail that Postfix accepted but could not deliver bounces to the domain's own return path", async (context) => {
  needProgram(context, "postfix");
  needRoot(context, "a Postfix of its own");
  const refused = new Set<Socket>();
  const last = await startScriptedServer({
    command(line, { socket }) {
      const [, to = ""] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? [];
      if (to in refusals) {
        refused.add(socket);
        return refusals[to as keyof typeof refusals].reply;
      }
      // It arrives together with the refused command.
      return /^DATA/i.test(line) && refused.has(socket) ? "554 5.5.1 no valid recipients" : null;
    },
  });
  onTestFinished(() => last.close());
  const inboundPort = await findFreePort();
  const postfix = await startPostfix({ "else.example": last.port, "bounces.shop.example": inboundPort });
  const mailer = createSmtpMailer({ url: postfix.url });
  onTestFinished(() => mailer.close());
  const world = await createWorld(await createSqliteStorage({ filename: ":memory:" }), {
    mailer,
    inboundHost: "in.post.example",
    returnPathDomain: "bounces.post.example",
  });
  onTestFinished(() => world.close());
  const { posthorn, dns } = world;
  const listener = await listenForReports(posthorn, {
    name: "in.post.example",
    port: inboundPort,
    host: "127.0.0.1",
    logger: silentLogger,
  });
  onTestFinished(() => listener.close());

  const shop = posthorn.workspace((await world.addWorkspace()).id);
  const domain = await shop.domains.create({ name: "shop.example" });
  for (const { name, type, value, priority } of domain.records)
    if (type === "MX") dns.setMx(name, `${priority} ${value}`);
    else dns.set(name, value);
  expect(await shop.domains.verify({ domainId: domain.id })).toMatchObject({ returnPathVerified: true });

  const ids = new Map<string, string>();
  for (const to of [...Object.keys(refusals), "there@else.example"]) {
    const { id } = await shop.emails.send({ from: "ada@shop.example", to: [to], subject: "Hi", text: "Hi" });
    ids.set(to, id);
  }
  await posthorn.drain();
  const recipientOf = async (to: string) =>
    (await shop.emails.get({ emailId: ids.get(to) ?? "" })).recipients[0];
  const bounced = async () =>
    (await Promise.all(Object.keys(refusals).map(recipientOf))).filter(
      ({ bouncedAt } = {} as never) => bouncedAt,
    );
  await expect.poll(async () => (await bounced()).length, { timeout: 60_000, interval: 100 }).toBe(3);

  for (const [to, { reply: _, ...meaning }] of Object.entries(refusals))
    expect(await recipientOf(to)).toMatchObject({ state: "accepted", ...meaning });
  expect(await recipientOf("there@else.example")).toMatchObject({ state: "accepted", bouncedAt: undefined });
  const { items } = await shop.suppressions.list();
  expect(items.map(({ email, origin, emailId }) => [email, origin, emailId])).toEqual([
    ["gone@else.example", "bounce", ids.get("gone@else.example")],
  ]);
  const reports = (await shop.inbound.list()).items;
  expect(reports.map(({ kind, source }) => [kind, source])).toEqual(
    reports.map(() => ["notification", "dsn"]),
  );
  context.task.meta.figures = `${reports.length} bounces of 4 mails, by SMTP to b-…@bounces.shop.example; 1 suppressed`;
});
