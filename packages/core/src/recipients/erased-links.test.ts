import { expect, test } from "vitest";
import { database, hour, openDatabaseForEach, send, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";

/** Sends an e-mail to one person, whose link names them by a number, and follows the link. */
async function sendAndClick(to: string, link: string): Promise<void> {
  const html = `<a href="${link}">Your order</a>`;
  const { id } = await send({ html, to: [to], tracking: { clicks: true } });
  await world.posthorn.drain();
  const mail = world.mailer.inbox.all().find(({ emailId }) => emailId === id);
  const token = /\/c\/([\w-]+)/.exec(mail?.html ?? "")?.[1] ?? "";
  world.clock.advance(hour);
  world.posthorn.followLink(token, { ip: "203.0.113.77", userAgent: firefox, isPrefetch: false });
  await world.posthorn.drain();
}

test("an erasure removes the link that the person followed from events and webhooks, and no other's", async () => {
  const { posthorn } = world;
  const url = "https://hooks.example.com/";
  await posthorn.webhooks.create({ url, events: ["email.clicked"] }, workspace.asOwner);
  await sendAndClick("ada@example.com", "https://shop.example/of/4711");
  await sendAndClick("bob@example.com", "https://shop.example/of/1800");
  const known = () =>
    JSON.stringify([
      database.prepare("select metadata from posthorn_events where type = 'email.clicked'").all(),
      database.prepare("select payload from posthorn_webhook_deliveries").all(),
    ]);
  expect(known().match(/4711/g)).toHaveLength(2);
  await posthorn.recipients.erase({ email: "ada@example.com" }, workspace.asOwner);
  await posthorn.drain();
  const left = known();
  expect(left).not.toContain("4711");
  expect(left.match(/1800/g)).toHaveLength(2);
  expect(left.match(/agent_class/g)).toHaveLength(4);
});
