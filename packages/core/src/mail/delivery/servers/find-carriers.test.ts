import { expect, test, vi } from "vitest";
import {
  add,
  answers,
  asked,
  dead,
  get,
  held,
  openServersForEach,
  parked,
  send,
} from "../../../../test/workspace-servers.ts";
import { minute, workspace, world } from "../../../../test/world-for-each.ts";
import type { ClaimedEmail } from "../../../ports/storage.ts";
import { workspaceRoute } from "../../rules/routes.ts";

openServersForEach();

const settings = (changes: object) => world.posthorn.settings.update(changes, workspace.asOwner);
const routes = async () =>
  (await world.storage.emailQueue.routes(world.clock.now(), 9)).map(({ route }) => route);
const soon = () => ({ scheduledAt: world.clock.now() + 1_000 });

test("an e-mail accepted before its workspace had a server goes through that one once it has waited", async () => {
  const { id } = await send("scheduled", soon());
  const other = await send("other", { ...soon(), from: "a@other.example" });
  const first = await add("first");
  world.clock.advance(1_000);
  await world.posthorn.drain();
  expect(asked.toSorted()).toEqual(["first scheduled", "platform other"]);
  expect((await get(id)).attempts).toMatchObject([{ number: 1, outcome: "sent", smtpServerId: first.id }]);
  expect((await get(other.id)).attempts).toHaveLength(1);
});

test("an e-mail accepted for the operator's server waits once the workspace has given that up", async () => {
  const { id } = await send("scheduled", soon());
  await settings({ platformServer: false });
  world.clock.advance(1_000);
  await world.posthorn.drain();
  expect(asked).toEqual([]);
  expect(await get(id)).toMatchObject({ status: "queued", attempts: [] });
  // Like any other route, an operator can hold it by its name.
  const [route] = await routes();
  expect(await world.posthorn.queue.pause({ route })).toEqual({ changed: true });
  expect(await world.posthorn.queue.resume({ route })).toMatchObject({ changed: true });
  await add("first");
  await world.posthorn.drain();
  expect(asked).toEqual(["first scheduled"]);
});

test("an e-mail that did not wait is sent without another look at the servers", async () => {
  const look = vi.spyOn(world.storage.smtpServers, "findChoices");
  await send("at once");
  await world.posthorn.drain();
  expect(asked).toEqual(["platform at once"]);
  expect(look).not.toHaveBeenCalled();
  await send("later", soon());
  world.clock.advance(minute);
  await world.posthorn.drain();
  expect(look).toHaveBeenCalledTimes(1);
  expect(asked).toEqual(["platform at once", "platform later"]);
});

test("e-mails held for the operator's server go as soon as their workspace has one of its own", async () => {
  answers["platform"] = held("unreachable", 10 * minute);
  for (const subject of ["a", "b"]) await send(subject);
  await world.posthorn.drain();
  world.clock.advance(minute + 1);
  asked.length = 0;
  await add("first");
  await world.posthorn.drain();
  expect(asked.toSorted()).toEqual(["first a", "first b"]);
});

test("once one e-mail is found to wait for another server than the held one, no other waits for a turn of its own", async () => {
  await world.posthorn.settings.update({ platformServer: true }, workspace.asOwner);
  answers["platform"] = held("unreachable", minute + 1);
  for (let n = 0; n < 9; n += 1) await send(`${n}`, { from: `a@${n}.shop.example` });
  await add("first", { fromDomains: [".shop.example"] });
  await world.posthorn.drain();
  world.clock.advance(minute + 1);
  asked.length = 0;
  const claim = vi.spyOn(world.storage.emailQueue, "claim");
  await world.posthorn.drain();
  const claimed = await Promise.all(claim.mock.settledResults.map(({ value }) => value));
  const onOperators = claimed.map(
    (items: readonly ClaimedEmail[]) =>
      items.filter(({ route }) => route === workspaceRoute(workspace.id)).length,
  );
  expect(onOperators.filter((count) => count > 0)).toEqual([1, 8]);
  expect(asked).toHaveLength(9);
  expect(await parked()).toEqual([]);
});

test("an e-mail that has to wait elsewhere takes those of its sender's domain along, and leaves others behind", async () => {
  answers["platform"] = held("unreachable", 10 * minute);
  for (let n = 0; n < 60; n += 1) await send(`other ${n}`, { from: "a@other.example" });
  const sender = (n: number) => (n % 2 === 0 ? `user-${n}@shop.example` : `Shop <user-${n}@Shop.example>`);
  for (let n = 0; n < 60; n += 1) await send(`own ${n}`, { from: sender(n) });
  await world.posthorn.drain();
  world.clock.advance(minute + 1);
  await add("first");
  asked.length = 0;
  await world.posthorn.drain();
  const sent = asked.filter((one) => one.startsWith("first"));
  expect(sent.toSorted()).toEqual(Array.from({ length: 60 }, (_, n) => `first own ${n}`).toSorted());
  expect(await routes()).toEqual([workspaceRoute(workspace.id)]);
});

test("the timeline of an e-mail that waits for another server by now shows that server's hold", async () => {
  const { id } = await send("scheduled", soon());
  await add("first");
  answers["first"] = dead;
  world.clock.advance(1_000);
  await world.posthorn.drain();
  const { timeline } = await get(id);
  expect(timeline.at(-1)).toMatchObject({ type: "waiting", details: { held: "unreachable" } });
});
