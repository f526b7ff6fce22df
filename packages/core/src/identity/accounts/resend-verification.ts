import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { emailAddress } from "../email-address.ts";
import { clientGuard, guardOf, reserveAttempt } from "../guard-attempts.ts";
import { lockByEmail } from "./lock-by-email.ts";
import { sendVerification } from "./send-verification.ts";

const answer = { message: "If the address waits for its verification, a mail is on its way." };

/**
 * Sends another verification link. The answer is the same whether or not the address is known, and is given before the
 * look-up (decisions §2).
 */
export const resendVerification = useCase({
  access: "anonymous",
  refusals: ["rate_limited"],
  input: z.strictObject({ email: emailAddress }),
  prepare: (context, { email }) =>
    reserveAttempt(context, clientGuard("mails", context), guardOf.verificationMails(email)),
  answersFirst: answer,
  async run(context, { email }): Promise<Confirmation> {
    const user = await lockByEmail(context.storage, email);
    if (user !== undefined && user.emailVerifiedAt === undefined) await sendVerification(context, user);
    return answer;
  },
});
