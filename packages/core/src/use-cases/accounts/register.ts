import { z } from "zod";
import { ServiceError } from "../../errors.ts";
import { useCase } from "../../use-case.ts";
import { emailAddress } from "../email-address.ts";
import { guardOf } from "../guard-attempts.ts";
import { nameField } from "../name-field.ts";
import { insertUser } from "../users/create-user.ts";
import { hashNewPassword } from "../users/password-work.ts";
import { passwordText } from "../users/user-fields.ts";
import { type UserView, viewUser } from "../users/user-view.ts";
import { sendVerification } from "./send-verification.ts";

/** Opens an account and mails a link to verify its address (decisions §2). */
export const register = useCase({
  access: "anonymous",
  input: z.strictObject({ name: nameField, email: emailAddress, password: passwordText }),
  async prepare(context, { email, name, password }): Promise<string> {
    if (await context.storage.users.findByEmail(email)) throw new ServiceError("email_taken");
    return await hashNewPassword(context, password, { email, name });
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
