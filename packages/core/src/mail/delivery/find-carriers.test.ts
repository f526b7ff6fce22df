import { expect, test, vi } from "vitest";
import { add, asked, get, openServersForEach, send } from "../../../test/workspace-servers.ts";
import { minute, workspace, world } from "../../../test/world-for-each.ts";

openServersForEach();

const settings = (changes: object) => world.posthorn.settings.update(changes, workspace.asOwner);
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
