import { expect, test } from "vitest";
import {
  database,
  eventsOf,
  get,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../test/world-for-each.ts";

openDatabaseForEach();

const ada = "ada@example.com";

test("an erasure ends though rows about the person are damaged, and nothing of them is left there", async () => {
  const { id } = await send({ to: [ada], tags: ["a"], metadata: { order: ada } });
  await world.posthorn.drain();
  await send({ to: [ada, "bob@example.com"], metadata: { order: ada } });
  await world.posthorn.drain();
  database.exec(
    `update posthorn_emails set to_addresses = '["${ada}', tags = '["${ada}', metadata = '{"o":"${ada}'`,
  );
  database.exec(`update posthorn_events set metadata = substr(metadata, 1, length(metadata) - 1)`);
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
  expect(await world.storage.erasures.nextDueAt()).toBeUndefined();
  expect(await eventsOf("recipient.erased")).toMatchObject([{ emails: 2 }]);
  expect(await get(id)).toMatchObject({ to: [], tags: [], metadata: {} });
  for (const table of ["emails", "email_recipients", "events"])
    expect(JSON.stringify(database.prepare(`select * from posthorn_${table}`).all())).not.toContain(ada);
});
