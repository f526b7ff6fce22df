import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { hashNewPassword } from "./password-work.ts";
import { replacePassword } from "./replace-password.ts";
import { newPasswordText, userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

/** Sets a user's password and revokes all of the user's sessions. For the command line. */
export const setUserPassword = useCase({
  access: "administrator",
  input: z.strictObject({ userId, password: newPasswordText }),
  locks: ({ userId }) => ({ userId }),
  async prepare(context, { userId: id, password }): Promise<string> {
    const user = await userOrThrow(context.storage.users.find(id), id);
    return await hashNewPassword(context, password, user);
  },
  async run(context, { userId: id }, hash): Promise<Confirmation> {
    const user = await userOrThrow(context.storage.users.lock(id), id);
    await replacePassword(context, user, { hash, exceptSessionId: undefined });
    context.emit("user.password_reset", { userId: id });
    return { message: "The password has been set; every session of the user has ended." };
  },
});
