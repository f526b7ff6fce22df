import { expect, test } from "vitest";
import { database, host, openDatabaseForEach, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

test("an erasure removes the address from the keys of what batches left out of the person, whatever stands before it", async () => {
  const [ada, bob] = ["ada@example.com", "bob@example.com"];
  for (const email of [ada, bob]) await world.posthorn.suppressions.create({ email }, host());
  const recipients = [ada, ada, bob].map((to, at) => ({ to, key: `${at === 0 ? "to-" : ""}${to}` }));
  await world.posthorn.emails.sendBatch(
    { subject: "Hi", text: "x", recipients, onInvalid: "skip", allowDuplicates: true },
    host(),
  );
  const keys = (): string[] => {
    const [skipped] = database.prepare("select skipped from posthorn_batches").pluck().all();
    return JSON.parse(String(skipped)).map(({ key }: { key: string }) => key);
  };
  expect(keys()).toEqual([`to-${ada}`, ada, bob]);
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
  const erased = "erased-[0-9a-f]{8}@invalid";
  expect(keys()).toEqual([
    expect.stringMatching(`^to-${erased}$`),
    expect.stringMatching(`^${erased}$`),
    bob,
  ]);
});
