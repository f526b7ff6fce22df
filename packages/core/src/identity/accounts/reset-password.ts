import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { markVerified } from "../users/mark-verified.ts";
import { assertNewPassword, hashNewPassword } from "../users/password-work.ts";
import { replacePassword } from "../users/replace-password.ts";
import { newPasswordText } from "../users/user-fields.ts";
import { consumeToken, emailedToken, findHolder, tokenGuard } from "./emailed-token.ts";

/**
 * Sets a new password by a mailed token and revokes all sessions of the user (decisions §2). The token also verifies the
 * address. Two-factor login stays on.
 */
export const resetPassword = useCase({
  access: "anonymous",
  refusals: ["rate_limited"],
  input: z.strictObject({ token: emailedToken, password: newPasswordText }),
  async prepare(context, { token, password }): Promise<{ userId: number; hash: string }> {
    assertNewPassword(context, password);
    const userId = await findHolder(context, "reset_password", token);
    return { userId, hash: await hashNewPassword(context, password, {}, tokenGuard(context)) };
  },
  async run(context, { token, password }, { userId, hash }): Promise<Confirmation> {
    const user = await consumeToken(context, "reset_password", { token, userId });
    // Only now it is known whose password it is; the refusal leaves the token valid.
    assertNewPassword(context, password, user);
    await markVerified(context, user);
    await replacePassword(context, user, { hash, exceptSessionId: undefined });
    context.emit("user.password_reset", { userId, actor: { id: userId, name: user.name } });
    return { message: "The password has been changed; log in with it." };
  },
});
