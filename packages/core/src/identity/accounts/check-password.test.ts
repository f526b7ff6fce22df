import { expect, test } from "vitest";
import { ada, anonymous, client, openAccountWorldForEach, world } from "../../../test/account-world.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import { TooBusy } from "../adapters/password-hasher.ts";
import { clientGuard, guardOf } from "../guard-attempts.ts";
import { checkPassword } from "./check-password.ts";

openAccountWorldForEach();

test("a password that the hasher was too busy to look at counts neither for the account nor for the client", async () => {
  await world.posthorn.accounts.register(ada, anonymous);
  const context = {
    storage: world.storage,
    runtime: { passwords: { verify: () => Promise.reject(new TooBusy()) } },
    now: world.clock.now(),
    client,
    caller: anonymous.as,
  } as unknown as ReadContext;
  for (const guard of [guardOf.accountPasswords(ada.email), clientGuard("passwords", context)]) {
    if (guard === undefined) throw new Error("there is no limit");
    const { storage, now } = context;
    for (let count = 1; count < guard.limit; count += 1)
      await storage.guards.reserve(guard.key, guard.limit, guard.windowMs, now);
  }
  for (let times = 0; times < 3; times += 1)
    await expect(checkPassword(context, ada)).rejects.toMatchObject({ code: "rate_limited", retryAfter: 1 });
});
