import { z } from "zod";
import { personName } from "../../calls/input/name-field.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { emailAddress } from "../email-address.ts";
import { hashNewPassword } from "./password-work.ts";
import { newPasswordText } from "./user-fields.ts";
import { type UserView, viewUser } from "./user-view.ts";

/**
 * Creates a user with a verified address, as the creator vouches for it. The operator creates the first administrator, since only
 * administrators can create others (decisions §2). Throws `email_taken`.
 */
export const createUser = useCase({
  access: "administrator",
  refusals: ["email_taken"],
  input: z.strictObject({
    name: personName,
    email: emailAddress,
    password: newPasswordText,
    isAdmin: z
      .boolean()
      .default(false)
      .describe("Whether the user is an administrator of the platform. Default false."),
  }),
  async prepare(context, { email, name, password }): Promise<string> {
    if (await context.storage.users.findByEmail(email)) throw new ServiceError("email_taken");
    return await hashNewPassword(context, password, { email, name });
  },
  async run({ storage, now, emit }, { name, email, isAdmin }, passwordHash): Promise<UserView> {
    const account = { name, email, passwordHash, emailVerifiedAt: now, isAdmin };
    const inserting = storage.users.insert({ ...account, isVouchedFor: true, createdAt: now });
    const user = await orTaken(inserting, "email_taken");
    emit("user.created", { userId: user.id, metadata: { email, is_admin: isAdmin } });
    return viewUser(user);
  },
});
