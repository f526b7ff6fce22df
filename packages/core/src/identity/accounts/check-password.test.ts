import { expect, test } from "vitest";
import {
  ada,
  anonymous,
  client,
  login,
  mailedToken,
  openAccountWorldForEach,
  world,
} from "../../../test/account-world.ts";
import type { ReadContext } from "../../calls/use-case.ts";
import { TooBusy } from "../adapters/password-hasher.ts";
import { clientGuard, guardOf } from "../guard-attempts.ts";
import { changePassword } from "../users/change-password.ts";
import { deleteMe } from "../users/delete-user.ts";
import { createPasswordTurns } from "../users/password-turns.ts";
import { checkPassword } from "./check-password.ts";
import { resetPassword } from "./reset-password.ts";
import { verifyEmail } from "./verify-email.ts";

openAccountWorldForEach();

test("a password that the hasher was too busy to look at counts neither for the account nor for the client", async () => {
  const { id: userId } = await world.posthorn.accounts.register(ada, anonymous);
  const token = await mailedToken("Verify your e-mail address");
  const context = {
    storage: world.storage,
    runtime: {
      passwords: { verify: () => Promise.reject(new TooBusy()) },
      passwordTurns: createPasswordTurns(),
    },
    now: world.clock.now(),
    client,
    caller: { ...anonymous.as, userId },
  } as unknown as ReadContext<"user">;
  for (const guard of [guardOf.accountPasswords(ada.email), clientGuard("passwords", context)]) {
    if (guard === undefined) throw new Error("there is no limit");
    const { storage, now } = context;
    for (let count = 1; count < guard.limit; count += 1)
      await storage.guards.reserve(guard.key, guard.limit, guard.windowMs, now);
  }
  const { password } = ada;
  const attempts = [
    () => checkPassword(context, ada),
    () => changePassword.prepare?.(context, { currentPassword: password, password: "another long phrase" }),
    () => deleteMe.prepare?.(context, { password }),
    () => verifyEmail.prepare?.({ ...context, caller: anonymous.as }, { token, password }),
  ];
  for (const attempt of attempts) {
    for (let times = 0; times < 3; times += 1)
      await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 1 });
  }
});

test("right passwords never use up the counts, however many come at once", async () => {
  await world.posthorn.accounts.register(ada, anonymous);
  const all = await Promise.all(Array.from({ length: 60 }, () => login()));
  expect(new Set(all.map(({ sessionId }) => sessionId)).size).toBe(60);
});

test("wrong ones at once are checked as often as the count allows", async () => {
  await world.posthorn.accounts.register(ada, anonymous);
  const tries = Array.from({ length: 30 }, (_, n) =>
    login({ password: `wrong guess number ${n}` }, `192.0.2.${n}`),
  );
  const codes = (await Promise.allSettled(tries)).map((one) =>
    one.status === "rejected" ? one.reason.code : "right",
  );
  expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(10);
  expect(codes.filter((code) => code === "rate_limited")).toHaveLength(20);
});

test("a password that the hasher was too busy to hash or look at counts as no attempt at the token that was mailed", async () => {
  await world.posthorn.accounts.register(ada, anonymous);
  await world.posthorn.accounts.forgotPassword({ email: ada.email }, anonymous);
  const [token, link] = [
    await mailedToken("Reset your password"),
    await mailedToken("Verify your e-mail address"),
  ];
  const refuse = () => Promise.reject(new TooBusy());
  const runtime = { passwords: { hash: refuse, verify: refuse }, passwordTurns: createPasswordTurns() };
  const { storage } = world;
  const { as: caller } = anonymous;
  const context = { storage, runtime, config: {}, now: world.clock.now(), client, caller };
  const given = context as unknown as ReadContext<"anonymous">;
  const password = "another long phrase";
  const attempts = [
    () => resetPassword.prepare?.(given, { token, password }),
    () => verifyEmail.prepare?.(given, { token: link, newPassword: password }),
    () => verifyEmail.prepare?.(given, { token: link, password: ada.password }),
  ];
  for (const attempt of attempts) {
    // More than a client may make.
    for (let times = 0; times < 60; times += 1)
      await expect(attempt()).rejects.toMatchObject({ code: "rate_limited", retryAfter: 1 });
  }
});
