import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

/**
 * Whether a user's password is this one. For `posthorn dev`, which prints a login: to try it would leave a session and an
 * event. Attempts are not counted, so it is nothing for callers who may be guessing.
 */
export const hasPassword = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ userId, password: z.string() }),
  async run({ storage, runtime }, { userId: id, password }): Promise<boolean> {
    const user = await userOrThrow(storage.users.find(id), id);
    return await runtime.passwords.verify(user.passwordHash, password);
  },
});
