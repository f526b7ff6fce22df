import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import { guardOf, releaseAttempt } from "../guard-attempts.ts";
import { markVerified } from "../users/mark-verified.ts";
import { assertNewPassword, hashNewPassword, isPassword } from "../users/password-work.ts";
import { replacePassword } from "../users/replace-password.ts";
import { newPasswordText, passwordText } from "../users/user-fields.ts";
import { userOrThrow } from "../users/user-or-throw.ts";
import { type UserView, viewUser } from "../users/user-view.ts";
import { consumeToken, emailedToken, findHolder, tokenGuard, unusableToken } from "./emailed-token.ts";

/** The caller's proof besides the token. */
type Proof = { userId: number; hash: string } & (
  | { kind: "password" }
  | { kind: "new_password"; newPassword: string }
);

const notThePassword = () =>
  fieldError(
    "password",
    "is not the one that the account was opened with; if you did not open it, choose a new password",
  );

/**
 * Verifies an address by the token that was mailed to it (decisions §2), together with the account's password. The link
 * alone would endorse the password of a stranger who created the account in advance. A person who does not know the
 * password chooses a new one, which ends the stranger's sessions.
 */
export const verifyEmail = useCase({
  access: "anonymous",
  refusals: ["rate_limited"],
  input: z
    .strictObject({
      token: emailedToken,
      password: passwordText.describe("The password that the account was opened with.").optional(),
      /** In place of the old one, if the caller does not know that. */
      newPassword: newPasswordText.optional(),
    })
    .superRefine(({ password, newPassword }, context) => {
      if ((password === undefined) === (newPassword === undefined))
        context.addIssue({
          code: "custom",
          path: ["password"],
          message: "is required unless a new password is given, and refused beside one",
        });
    }),
  async prepare(context, { token, password, newPassword }): Promise<Proof> {
    return newPassword === undefined
      ? await checkOpener(context, token, password ?? "")
      : await replaceOpener(context, token, newPassword);
  },
  async run(context, { token }, proof): Promise<UserView> {
    const { userId } = proof;
    const user = await consumeToken(context, "verify_email", { token, userId });
    if (proof.kind === "password") {
      // Another request changed the password while it was being checked.
      if (user.passwordHash !== proof.hash) throw notThePassword();
      return viewUser(await markVerified(context, user));
    }
    if (user.emailVerifiedAt !== undefined) throw unusableToken();
    // Only now it is known whose password it is; the refusal leaves the token valid.
    assertNewPassword(context, proof.newPassword, {
      email: user.email,
      name: user.name,
      field: "newPassword",
    });
    const verified = await markVerified(context, user);
    await replacePassword(context, user, { hash: proof.hash, exceptSessionId: undefined });
    context.emit("user.password_reset", { userId, actor: { id: userId, name: user.name } });
    return viewUser(verified);
  },
});

async function replaceOpener(context: ReadContext, token: string, newPassword: string): Promise<Proof> {
  assertNewPassword(context, newPassword, { field: "newPassword" });
  const userId = await findHolder(context, "verify_email", token);
  const hash = await hashNewPassword(context, newPassword, { field: "newPassword" }, tokenGuard(context));
  return { kind: "new_password", userId, hash, newPassword };
}

/** Returns the password hash of the token's account if `password` matches it. The token is not consumed. */
async function checkOpener(context: ReadContext, token: string, password: string): Promise<Proof> {
  const userId = await findHolder(context, "verify_email", token);
  const user = await userOrThrow(context.storage.users.find(userId), userId);
  const guard = guardOf.accountPasswords(user.email);
  const forgive = () => releaseAttempt(context, guard);
  const looking = isPassword(context, user.passwordHash, password, { guards: [guard], forgive });
  const right = await looking.catch(async (error: unknown) => {
    // The password was not looked at, so that nothing was learned of the token.
    if (error instanceof ServiceError) await releaseAttempt(context, tokenGuard(context));
    throw error;
  });
  if (!right || user.passwordHash === undefined) throw notThePassword();
  return { kind: "password", userId, hash: user.passwordHash };
}
