import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { digest } from "../../rules/tokens.ts";
import { markVerified } from "../users/mark-verified.ts";
import { assertNewPassword, hashNewPassword } from "../users/password-work.ts";
import { replacePassword } from "../users/replace-password.ts";
import { newPasswordText } from "../users/user-fields.ts";
import { userOrThrow } from "../users/user-or-throw.ts";
import { emailedToken, findHolder, tokenGuard, unusableToken } from "./emailed-token.ts";

/**
 * Sets a new password by a mailed token and revokes all sessions of the user (decisions §2). The token also verifies the
 * address. Two-factor login stays on.
 */
export const resetPassword = useCase({
  access: "anonymous",
  refusals: ["rate_limited"],
  input: z.strictObject({ token: emailedToken, password: newPasswordText }),
  async prepare(context, { token, password }): Promise<string> {
    assertNewPassword(context, password);
    await findHolder(context, "reset_password", token);
    return await hashNewPassword(context, password, {}, tokenGuard(context));
  },
  async run(context, { token, password }, hash): Promise<Confirmation> {
    const { storage, now, emit } = context;
    const userId = await storage.emailTokens.consume("reset_password", digest(token), now);
    if (userId === undefined) throw unusableToken();
    const user = await userOrThrow(storage.users.lock(userId), userId);
    // Only now it is known whose password it is; the refusal leaves the token valid.
    assertNewPassword(context, password, user);
    await markVerified(context, user);
    await replacePassword(context, user, { hash, exceptSessionId: undefined });
    emit("user.password_reset", { userId, actor: { id: userId, name: user.name } });
    return { message: "The password has been changed; log in with it." };
  },
});
