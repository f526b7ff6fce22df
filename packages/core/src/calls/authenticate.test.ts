import { expect, test } from "vitest";
import { ada, anonymous, login, openAccountWorldForEach, world } from "../../test/account-world.ts";
import { authenticateUser } from "./authenticate.ts";

openAccountWorldForEach();

test("a token for a session that is another user's names nobody", async () => {
  await world.posthorn.accounts.register(ada, anonymous);
  const { sessionId, user } = await login();
  const other = await world.addUser();
  const authenticate = (userId: number) =>
    authenticateUser(
      {
        storage: world.storage,
        tokens: { sign: async () => "", verify: async () => ({ userId, sessionId }), isOwn: () => true },
        queueClock: { assure: () => undefined },
        now: world.clock.now,
      },
      "token",
    );
  expect(await authenticate(user.id)).toMatchObject({ userId: user.id });
  expect(await authenticate(other.userId)).toBeUndefined();
});
