import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openFaultWorld, times } from "./open-fault-world.ts";

const leaseSeconds = 2;

test("a process suspended for two leases changes nothing that others did when it continues", async ({
  task,
}) => {
  const world = await openFaultWorld();
  const [one, other] = await Promise.all([world.serve(), world.serve()]);
  for (let turn = 0; turn < 3; turn += 1) {
    const sending = times(30, other.send);
    one.child.kill("SIGSTOP");
    await delay(2 * leaseSeconds * 1000);
    one.child.kill("SIGCONT");
    expect(await sending).toEqual(Array(30).fill(202));
  }
  const { lost, ghosts, twice } = await world.settled();
  expect({ lost, ghosts }).toEqual({ lost: [], ghosts: [] });
  const statuses = await Promise.all(
    [...world.accepted].map(
      async (id) => (await world.storage.emails.find(world.workspaceId, id, Date.now()))?.status,
    ),
  );
  expect(statuses.filter((status) => status !== "sent")).toEqual([]);
  await Promise.all([one.stop(), other.stop()]);
  task.meta.figures = `${world.accepted.size} mails, 3 stops: 0 lost, ${twice} twice`;
});

test("five processes on one queue: each e-mail is sent once", async ({ task }) => {
  const world = await openFaultWorld();
  const all = await Promise.all(Array.from({ length: 5 }, () => world.serve()));
  const answers = await Promise.all(all.map((served) => times(60, served.send)));
  expect(answers.flat()).toEqual(Array(300).fill(202));
  const account = await world.settled();
  expect(account).toEqual({ lost: [], ghosts: [], twice: 0 });
  await Promise.all(all.map((served) => served.stop()));
  task.meta.figures = "300 mails: 0 lost, 0 twice";
});
