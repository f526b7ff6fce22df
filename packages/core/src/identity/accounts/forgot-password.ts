import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { createToken, digest } from "../../rules/tokens.ts";
import { emailAddress } from "../email-address.ts";
import { clientGuard, guardOf, reserveAttempt } from "../guard-attempts.ts";
import { mailboxOf } from "../users/user-view.ts";
import { lockByEmail } from "./lock-by-email.ts";

const answer = { message: "If the address has an account, a mail is on its way." };
const lifetime = 60 * 60_000;

/**
 * Sends a link to choose a new password. The answer is the same whether or not the address is known, and is given
 * before the look-up (decisions §2).
 */
export const forgotPassword = useCase({
  access: "anonymous",
  refusals: ["rate_limited"],
  input: z.strictObject({ email: emailAddress }),
  prepare: (context, { email }) =>
    reserveAttempt(context, clientGuard("mails", context), guardOf.resetMails(email)),
  answersFirst: answer,
  async run({ storage, now, config, mail }, { email }): Promise<Confirmation> {
    const user = await lockByEmail(storage, email);
    // A user that the host authenticates has no password to reset. A mail tells this to the user only, so that the
    // answer reveals nothing.
    if (user !== undefined && user.passwordHash === undefined)
      mail({ kind: "password_not_set", to: mailboxOf(user), data: { name: user.name } });
    else if (user !== undefined) {
      const token = createToken();
      await storage.emailTokens.insert({
        digest: digest(token),
        purpose: "reset_password",
        userId: user.id,
        expiresAt: now + lifetime,
      });
      const link = `${config.appUrl}/reset-password?token=${token}`;
      mail({ kind: "password_reset", to: mailboxOf(user), data: { name: user.name, link } });
    }
    return answer;
  },
});
