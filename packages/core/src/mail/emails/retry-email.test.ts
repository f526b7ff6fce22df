import { expect, test } from "vitest";
import {
  eventsOf,
  get,
  HOUR,
  make,
  openCampaignWorldForEach,
  own,
  shop,
  world,
} from "../../../test/campaign-world.ts";
import type { MailMessage } from "../../ports/mailer.ts";
import { acceptAll, answerAll } from "../../testing/memory-mailer.ts";

openCampaignWorldForEach();

const later = answerAll("deferred", 450, "450 later");
const isToFirst = ({ envelope }: MailMessage) => envelope.to[0] === "person0@example.com";

test("an e-mail of a campaign is counted by its last end, and the campaign completes with its last one", async () => {
  const refuse = answerAll("refused", 554, "554 5.7.1 rejected by policy");
  world.mailer.answerWith((message) => (isToFirst(message) ? refuse : later)(message));
  const spring = await make(2);
  await own().start(spring);
  await world.posthorn.drain();
  expect(await get(spring)).toMatchObject({ counts: { sent: 0, failed: 1, bounced: 1 } });
  const { emails } = world.posthorn.workspace(shop.id);
  const [failed] = (await emails.list({ status: "failed" })).items;
  world.mailer.answerWith((message) => (isToFirst(message) ? acceptAll : later)(message));
  await emails.retry({ emailId: failed?.id ?? "" });
  await world.posthorn.drain();
  expect(await get(spring)).toMatchObject({
    status: "running",
    counts: { queued: 2, sent: 1, failed: 0, bounced: 0 },
  });
  world.mailer.answerWith();
  world.clock.advance(HOUR);
  await world.posthorn.drain();
  expect(await get(spring)).toMatchObject({ status: "completed", counts: { sent: 2, failed: 0 } });
  expect(await eventsOf("campaign.completed")).toHaveLength(1);
});

test("a recipient who was erased is left out, and an e-mail to nobody else is not tried again", async () => {
  const { emails, recipients } = world.posthorn.workspace(shop.id);
  world.mailer.answerWith(answerAll("refused", 554, "554 5.7.1 rejected by policy"));
  const to = ["ada@example.com", "bob@example.com"];
  const { id: emailId } = await emails.send({ subject: "Hi", text: "Hello", to });
  await world.posthorn.drain();
  await recipients.erase({ email: "ada@example.com" });
  await world.posthorn.drain();
  world.mailer.answerWith();
  await emails.retry({ emailId });
  await world.posthorn.drain();
  expect(world.mailer.inbox.all().map(({ envelope }) => envelope.to)).toEqual([["bob@example.com"]]);
  expect(await emails.get({ emailId })).toMatchObject({
    status: "partially_sent",
    recipients: [{ state: "failed" }, { state: "accepted" }],
  });
  await expect(emails.retry({ emailId })).rejects.toMatchObject({
    code: "not_retryable",
    message: expect.stringContaining("Nobody is left"),
  });
});

const toNobody = (address: string) =>
  address === "nobody@example.com" ? "550 5.1.1 no such user" : "554 5.7.1 rejected by policy";

test("an address that was suppressed by the e-mail's own bounce gets it by no retry, however soon that is", async () => {
  const { emails } = world.posthorn.workspace(shop.id);
  world.mailer.answerWith(({ envelope }) => ({
    recipients: envelope.to.map((address) => {
      const reply = toNobody(address);
      return { address, outcome: "refused", code: Number(reply.slice(0, 3)), reply };
    }),
    inDoubt: false,
  }));
  const to = ["nobody@example.com", "ada@example.com"];
  const { id: emailId } = await emails.send({ subject: "Hi", text: "Hello", to });
  await world.posthorn.drain();
  world.mailer.answerWith();
  await emails.retry({ emailId });
  await world.posthorn.drain();
  expect(world.mailer.inbox.all().map(({ envelope }) => envelope.to)).toEqual([["ada@example.com"]]);
  const { recipients } = await emails.get({ emailId });
  expect(recipients.map(({ state }) => state)).toEqual(["suppressed", "accepted"]);
});

test("a retry for suppressed addresses alone is refused, until they no longer are", async () => {
  const { emails, suppressions } = world.posthorn.workspace(shop.id);
  world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 no such user"));
  const { id: emailId } = await emails.send({ subject: "Hi", text: "Hello", to: ["nobody@example.com"] });
  await world.posthorn.drain();
  const failed = await emails.get({ emailId });
  world.mailer.answerWith();
  await expect(emails.retry({ emailId })).rejects.toMatchObject({
    code: "all_recipients_suppressed",
    details: { recipients: [{ address: "nobody@example.com", origin: "bounce" }] },
  });
  await world.posthorn.drain();
  expect(await emails.get({ emailId })).toEqual(failed);
  await suppressions.delete({ email: "nobody@example.com" });
  await emails.retry({ emailId });
  await world.posthorn.drain();
  expect(await emails.get({ emailId })).toMatchObject({ status: "sent" });
});

test("an e-mail of which a recipient was cancelled stays partially sent when the failed ones get it", async () => {
  const { emails } = world.posthorn.workspace(shop.id);
  const answers = {
    "ada@example.com": { outcome: "accepted", code: 250, reply: "250 ok" },
    "bob@example.com": { outcome: "refused", code: 554, reply: "554 5.7.1 rejected by policy" },
    "eve@example.com": { outcome: "deferred", code: 450, reply: "450 later" },
  } as const;
  const addresses = Object.keys(answers) as (keyof typeof answers)[];
  world.mailer.answerWith(() => ({
    recipients: addresses.map((address) => ({ address, ...answers[address] })),
    inDoubt: false,
  }));
  const { id: emailId } = await emails.send({ subject: "Hi", text: "Hello", to: addresses });
  await world.posthorn.drain();
  await emails.cancel({ emailId });
  world.mailer.answerWith();
  await emails.retry({ emailId });
  await world.posthorn.drain();
  const { status, recipients, timeline } = await emails.get({ emailId });
  expect([status, ...recipients.map(({ state }) => state)]).toEqual([
    "partially_sent",
    "accepted",
    "accepted",
    "cancelled",
  ]);
  expect(timeline.at(-1)?.message).toBe("Partially sent: not every recipient was accepted.");
});
