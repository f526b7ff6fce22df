import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createPosthorn, IncompleteCopy, SecretKeyMismatch, type Storage } from "../index.ts";
import { incompleteCopyFact } from "../ports/storage.ts";
import { createMemoryMailer } from "../testing/index.ts";

const key = "the first key of this database, 4711";
const other = "another key that somebody made later";

async function openStorage(): Promise<Storage> {
  const storage = await openTestSqlite();
  onTestFinished(() => storage.close());
  return storage;
}

function createOn(storage: Storage, secretKey: string) {
  const errors: unknown[] = [];
  const silent = (): void => {};
  const mailer = createMemoryMailer();
  const logger = {
    debug: silent,
    info: silent,
    warn: silent,
    error: (fields: object) => void errors.push((fields as { err?: unknown }).err),
  };
  const posthorn = createPosthorn({
    storage,
    mailer,
    secretKey,
    logger,
    defaultSender: "Shop <a@b.example>",
  });
  onTestFinished(() => posthorn.close());
  return { posthorn, mailer, errors };
}

test("a database accepts only the secret key that it was created with, until that is declared lost", async () => {
  const storage = await openStorage();
  await createOn(storage, key).posthorn.migrate();
  await createOn(storage, key).posthorn.migrate();
  const { posthorn } = createOn(storage, other);
  await expect(posthorn.migrate()).rejects.toThrow(SecretKeyMismatch);
  await expect(posthorn.drain()).rejects.toThrow("Restore the former key");
  expect(JSON.stringify(await storage.operations.findFact("secret_key"))).not.toContain(key.slice(0, 8));
  await posthorn.replaceSecretKey();
  await posthorn.migrate();
  await expect(createOn(storage, key).posthorn.checkSecretKey()).rejects.toThrow(SecretKeyMismatch);
});

test("a database into which a copy was interrupted is refused by an error of its own", async () => {
  const storage = await openStorage();
  await storage.operations.keepFact(incompleteCopyFact, "true");
  const { posthorn } = createOn(storage, key);
  await expect(posthorn.migrate()).rejects.toThrow(IncompleteCopy);
  await expect(posthorn.drain()).rejects.toThrow("Run the copy again");
});

test("a host with another key delivers nothing and logs it; with the right one it delivers", async () => {
  const storage = await openStorage();
  const first = createOn(storage, key);
  await first.posthorn.migrate();
  const user = await first.posthorn.users.create({
    name: "Ada",
    email: "ada@b.example",
    password: "a long pass phrase",
  });
  const { id: workspaceId } = await first.posthorn.workspaces.createFor({ name: "Shop", userId: user.id });
  await first.posthorn.emails.send({ subject: "Hi", text: "Hi", to: ["grace@b.example"] }, { workspaceId });

  const wrong = createOn(storage, other);
  wrong.posthorn.start();
  await expect.poll(() => wrong.errors).toEqual([expect.any(SecretKeyMismatch)]);
  await wrong.posthorn.stop();
  expect(wrong.mailer.inbox.all()).toEqual([]);

  const right = createOn(storage, key);
  right.posthorn.start();
  await expect.poll(() => right.mailer.inbox.all().length).toBe(1);
  expect(right.errors).toEqual([]);
});
