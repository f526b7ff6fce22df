import { expect, test } from "vitest";
import { eventsOf, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";

openWorldForEach();
const shop = () => world.posthorn.workspace(workspace.id);
const ada = "ada@people.example";
const standIn = expect.stringMatching(/^erased-[0-9a-f]{8}@invalid$/);
const later = (ms: number) => new Date(world.clock.now() + ms).toISOString();

async function eraseSuppressed(scope: string, expiresAt?: string): Promise<void> {
  await shop().suppressions.create({ email: ada, scope, expiresAt });
  await shop().recipients.erase({ email: ada });
  await world.posthorn.drain();
}

const imported = (text: string, over: object = {}) =>
  shop().suppressions.import({ content: Buffer.from(text), ...over });
const listed = async () =>
  (await shop().suppressions.list()).items.map(({ email, scope, reason, expiresAt }) => ({
    ...{ email, scope, reason, expiresAt },
  }));

test("a list that names an erased address that stays suppressed adds nothing", async () => {
  await eraseSuppressed("*");
  const file = `email,reason\n${ada},asked\nBob@example.com,asked\n`;
  const counts = { added: 1, updated: 0, unchanged: 1 };
  expect(await imported(file, { dryRun: true })).toMatchObject(counts);
  expect(await imported(file)).toMatchObject(counts);
  expect(await listed()).toMatchObject([{ email: "Bob@example.com" }, { email: standIn }]);
});

test("a longer suppression, or one of another list, of an erased address is stored under its hash", async () => {
  await eraseSuppressed("news", later(86_400_000));
  const file = `email,scope,reason\nAda@PEOPLE.example,news,${ada} asked\n${ada},offers,\n`;
  const counts = { added: 1, updated: 1, unchanged: 0 };
  expect(await imported(file, { dryRun: true })).toMatchObject(counts);
  expect(await imported(file)).toMatchObject(counts);
  expect(await listed()).toEqual([
    { email: standIn, scope: "offers", reason: "", expiresAt: undefined },
    { email: standIn, scope: "news", reason: "", expiresAt: undefined },
  ]);
  expect(await shop().suppressions.check({ emails: [ada], scope: "offers" })).toMatchObject([
    { suppressed: true, origin: "import" },
  ]);
});

test("suppressing an erased address again answers with what stands under its hash", async () => {
  await eraseSuppressed("*");
  expect(await shop().suppressions.create({ email: ada, reason: "again" })).toMatchObject({
    email: standIn,
    isNew: false,
  });
  expect(await shop().suppressions.create({ email: ada, scope: "news" })).toMatchObject({
    email: standIn,
    isNew: true,
  });
  expect(await listed()).toMatchObject([{ email: standIn }, { email: standIn }]);
  expect(JSON.stringify(await eventsOf("suppression.created"))).not.toContain(ada);
  await shop().suppressions.delete({ email: ada });
  expect(await shop().suppressions.check({ emails: [ada] })).toMatchObject([{ suppressed: false }]);
});

test("of one whose suppression has ended, or who had none, the address is stored as given", async () => {
  await eraseSuppressed("*", later(1_000));
  world.clock.advance(2_000);
  expect(await imported(`${ada}\n`)).toMatchObject({ added: 1 });
  expect(await listed()).toMatchObject([{ email: ada }]);
});
