import { expect, test } from "vitest";
import { database, host, openDatabaseForEach, send, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const [ada, bob] = ["ada@example.com", "bob@example.com"];
const client = (last: number) => ({ client: { ip: `203.0.113.${last}`, userAgent: "Firefox" } });

/** Sends an e-mail of a list, and returns the token of its link. */
async function subscribed(to: string): Promise<string> {
  await send({ to: [to], unsubscribe: { list: "news" } });
  await world.posthorn.drain();
  const header = world.mailer.inbox.find({ to })?.headers.find(({ name }) => name === "List-Unsubscribe");
  world.mailer.inbox.clear();
  return /\/u\/([^>]+)/.exec(header?.value ?? "")?.[1] ?? "";
}

const eraseAda = async (): Promise<void> => {
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
};

const clients = () =>
  database
    .prepare("select type, client_ip from posthorn_events where client_ip <> '' order by id")
    .raw()
    .all();

test("an erasure removes from where the person unsubscribed, and nobody else's address nor that of who suppressed them", async () => {
  const { unsubscriptions, suppressions } = world.posthorn;
  const [own, others] = [await subscribed(ada), await subscribed(bob)];
  await unsubscriptions.create({ token: own }, client(1));
  await unsubscriptions.undo({ token: own }, client(2));
  await unsubscriptions.create({ token: own }, client(3));
  await unsubscriptions.create({ token: others }, client(4));
  await suppressions.create({ email: ada }, { ...host(), ...client(5) });
  await suppressions.delete({ email: ada, scope: "news" }, { ...workspace.asOwner, ...client(6) });
  expect(clients()).toHaveLength(9);
  await eraseAda();
  expect(clients()).toEqual([
    ["suppression.created", "203.0.113.4"],
    ["email.unsubscribed", "203.0.113.4"],
    ["suppression.created", "203.0.113.5"],
    ["suppression.deleted", "203.0.113.6"],
  ]);
});

test("who unsubscribes after the erasure leaves no address either", async () => {
  const token = await subscribed(ada);
  await eraseAda();
  await world.posthorn.unsubscriptions.create({ token }, client(1));
  await world.posthorn.unsubscriptions.undo({ token }, client(1));
  expect(clients()).toEqual([]);
});

test("an export tells from where the person unsubscribed, and not from where others acted on them", async () => {
  await world.posthorn.unsubscriptions.create({ token: await subscribed(ada) }, client(1));
  await world.posthorn.suppressions.create({ email: ada }, { ...host(), ...client(2) });
  const { content } = await world.posthorn.recipients.export({ email: ada }, workspace.asOwner);
  let text = "";
  for await (const piece of content) text += Buffer.from(piece).toString();
  expect(text.match(/"client_ip":"[^"]*"/g)).toEqual(Array(2).fill('"client_ip":"203.0.113.1"'));
  expect(text).not.toContain("203.0.113.2");
});
