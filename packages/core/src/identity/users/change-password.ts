import { z } from "zod";
import type { Confirmation } from "../../calls/confirmation.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import { confirmPassword, hashNewPassword } from "./password-work.ts";
import { replacePassword } from "./replace-password.ts";
import { newPasswordText, passwordText } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

const wrongPassword = () => fieldError("currentPassword", "is not your password");

/** Changes the caller's password and revokes all other sessions (decisions §2). */
export const changePassword = useCase({
  access: "user",
  refusals: ["password_not_set", "rate_limited"],
  input: z.strictObject({
    currentPassword: passwordText.describe("The present password."),
    password: newPasswordText,
  }),
  async prepare(context, { currentPassword, password }) {
    const { storage, caller } = context;
    const user = await userOrThrow(storage.users.find(caller.userId), caller.userId);
    const former = await confirmPassword(context, user, currentPassword, wrongPassword);
    return { former, hash: await hashNewPassword(context, password, user) };
  },
  async run(context, _input, { former, hash }): Promise<Confirmation> {
    const { storage, caller, emit } = context;
    const user = await lockCaller(storage, caller);
    // Another request changed the password while this one was being hashed.
    if (user.passwordHash !== former) throw wrongPassword();
    await replacePassword(context, user, { hash, exceptSessionId: caller.sessionId });
    emit("user.password_changed");
    return { message: "The password has been changed." };
  },
});
