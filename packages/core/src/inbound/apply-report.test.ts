import { expect, test } from "vitest";
import { about, deliver, feed, notification } from "../../test/returned-mail.ts";
import { eventsOf, get, hour, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { answerAll } from "../testing/index.ts";
import { createReportTokens } from "./rules/report-token.ts";

openWorldForEach();

test("a token signed elsewhere, or of another workspace, does not hide the one behind it", async () => {
  const { id, token } = await deliver();
  const other = await world.addWorkspace();
  const theirs = await deliver(["ada@example.com"], other.id);
  const elsewhere = createReportTokens(Buffer.alloc(32, 1)).make({ row: 1, position: 0 });
  const returned = [elsewhere, theirs.token, token].map((one) => `X-Service-Ref: ${one}`);
  expect(await feed(notification([{}], { returned }))).toMatchObject({ emailId: id });
});

test("without a token, an address that an e-mail was not sent to is not taken for its only recipient", async () => {
  const { id } = await deliver();
  const returned = [`Message-ID: <${id}@posthorn.example>`];
  const arrive = async (to: string) => {
    const message = notification([{ to }], { returned });
    return (await world.posthorn.inbound.receiveMessage({ message, recipients: [] })).effects;
  };
  expect(await arrive("stranger@other.example")).toEqual([]);
  expect(await arrive("ada@example.com")).toMatchObject([{ recipient: "ada@example.com", effect: "noted" }]);
});

test("one refusal of the content for several recipients suppresses none of them", async () => {
  const to = ["a@example.com", "b@example.com"];
  const { token } = await deliver(to);
  const text = "--b\r\n\r\nUser unknown (in reply to end of DATA command)\r\n--b\r\n";
  const message = about(
    token,
    to.map((one) => ({ to: one })),
  ).replace("--b\r\n", () => text);
  const { effects } = await feed(message);
  expect(effects.map(({ category, effect }) => `${category} ${effect}`)).toEqual([
    "other noted",
    "other noted",
  ]);
});

test("a bounce of a forwarding address counts for the recipient that the token names", async () => {
  const { token } = await deliver();
  const told = [{ to: "elsewhere@other.example", reply: "550 5.7.1 no" }, { to: "last@other.example" }];
  const { effects } = await feed(about(token, told));
  expect(effects).toMatchObject([{ recipient: "ada@example.com", category: "policy", effect: "noted" }]);
});

test("a notice that names others before the recipient counts by what it says of the recipient", async () => {
  const { token } = await deliver();
  const notice = [
    ...["From: postmaster@mx.example", "Subject: Delivery failure", ""],
    ...["Your message from shop@example.com could not be delivered. Write to postmaster@mx.example.", ""],
    ...["<Ada@Example.com>: 550 5.1.1 No such user", "", `X-Service-Ref: ${token}`],
  ].join("\r\n");
  const { effects } = await feed(notice);
  expect(effects).toMatchObject([{ recipient: "ada@example.com", category: "invalid_recipient" }]);
});

test("a Message-ID is sufficient for the workspace itself", async () => {
  const { id } = await deliver();
  const returned = [`Message-ID: <${id}@posthorn.example>`];
  const report = await feed(notification([{ reply: "550 no" }], { returned }));
  expect(report).toMatchObject({ emailId: id, effects: [{ effect: "noted" }] });
});

test("a refusal in our own conversation suppresses, though a forged report was recorded before, without another event", async () => {
  const [ada, bob] = ["ada@example.com", "bob@example.com"];
  world.mailer.answerWith(({ envelope }) => ({
    recipients: envelope.to.map((address) =>
      address === ada
        ? { address, outcome: "deferred", code: 451, reply: "451 4.7.1 Greylisted" }
        : { address, outcome: "accepted", code: 250, reply: "250 OK" },
    ),
    inDoubt: false,
  }));
  const { id } = await deliver([ada, bob]);
  const returned = [`Message-ID: <${id}@posthorn.example>`];
  const forged = notification([{ to: ada, reply: "550 5.7.1 Blocked" }], { returned });
  const { effects } = await world.posthorn.inbound.receiveMessage({ message: forged, recipients: [] });
  expect(effects).toMatchObject([{ recipient: ada, category: "policy", effect: "noted" }]);
  world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 No such user"));
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect((await get(id)).recipients[0]).toMatchObject({ state: "failed", category: "invalid_recipient" });
  const found = await world.posthorn.suppressions.get({ email: ada }, workspace.asOwner);
  expect(found).toMatchObject({ origin: "bounce", reason: "550 5.1.1 No such user" });
  expect(await eventsOf("email.bounced")).toMatchObject([{ category: "policy" }]);
});
