import { z } from "zod";
import { useCase } from "../../use-case.ts";
import { emailAddress } from "../email-address.ts";
import { clientGuard, guardOf, reserveAttempt } from "../guard-attempts.ts";
import { sendVerification } from "./send-verification.ts";

/** Mails another link to verify an address; answers alike whether or not the address is known (decisions §2). */
export const resendVerification = useCase({
  access: "anonymous",
  input: z.strictObject({ email: emailAddress }),
  prepare: (context, { email }) =>
    reserveAttempt(context, clientGuard("mails", context), guardOf.verificationMails(email)),
  async run(context, { email }): Promise<{ message: string }> {
    const user = await context.storage.users.findByEmail(email);
    if (user !== undefined && user.emailVerifiedAt === undefined) await sendVerification(context, user);
    return { message: "If the address waits for its verification, a mail is on its way." };
  },
});
