import { z } from "zod";
import { ServiceError } from "../../errors.ts";
import { useCase } from "../../use-case.ts";
import { emailAddress } from "../email-address.ts";
import { clientGuard, guardOf, releaseAttempt, reserveAttempt } from "../guard-attempts.ts";
import { personName } from "../name-field.ts";
import { insertUser } from "../users/create-user.ts";
import { assertNewPassword, hashNewPassword } from "../users/password-work.ts";
import { passwordText } from "../users/user-fields.ts";
import { type UserView, viewUser } from "../users/user-view.ts";
import { sendVerification } from "./send-verification.ts";

/** Opens an account and mails a link to verify its address (decisions §2). */
export const register = useCase({
  access: "anonymous",
  input: z.strictObject({ name: personName, email: emailAddress, password: passwordText }),
  async prepare(context, { email, name, password }): Promise<string> {
    assertNewPassword(context, password, { email, name });
    const guards = [clientGuard("registrations", context), clientGuard("mails", context)];
    await reserveAttempt(context, ...guards);
    if (await context.storage.users.findByEmail(email)) throw new ServiceError("email_taken");
    try {
      return await hashNewPassword(context, password);
    } catch (error) {
      // Too busy to open it: that was no registration.
      if (error instanceof ServiceError) await releaseAttempt(context, ...guards);
      throw error;
    }
  },
  async run(context, { name, email }, passwordHash): Promise<UserView> {
    const { storage, now, emit } = context;
    const user = await insertUser(storage, {
      name,
      email,
      passwordHash,
      emailVerifiedAt: undefined,
      isAdmin: false,
      createdAt: now,
    });
    // Counted like any verification mail, but never refused: an account without its mail would be of no use.
    const { key, limit, windowMs } = guardOf.verificationMails(email);
    await storage.guards.reserve(key, limit, windowMs, now);
    await sendVerification(context, user);
    emit("user.registered", {
      userId: user.id,
      actor: { id: user.id, name: user.name },
      metadata: { email: user.email },
    });
    return viewUser(user);
  },
});
