import { z } from "zod";
import { digest } from "../../domain/tokens.ts";
import { useCase } from "../../use-case.ts";
import { userOrThrow } from "../users/user-or-throw.ts";
import { type UserView, viewUser } from "../users/user-view.ts";
import { emailedToken, unusableToken } from "./emailed-token.ts";

/** Verifies an address by the token that was mailed to it (decisions §2). */
export const verifyEmail = useCase({
  access: "anonymous",
  input: z.strictObject({ token: emailedToken }),
  async run({ storage, now, emit }, { token }): Promise<UserView> {
    const userId = await storage.emailTokens.consume("verify_email", digest(token), now);
    if (userId === undefined) throw unusableToken();
    const user = await userOrThrow(storage.users.lock(userId), userId);
    if (user.emailVerifiedAt !== undefined) return viewUser(user);
    const verified = await userOrThrow(storage.users.update(userId, { emailVerifiedAt: now }), userId);
    await storage.emailTokens.deleteFor(userId, "verify_email");
    emit("user.email_verified", {
      userId,
      actor: { id: userId, name: user.name },
      metadata: { email: user.email },
    });
    return viewUser(verified);
  },
});
