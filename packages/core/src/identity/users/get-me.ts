import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { type UserView, viewUser } from "./user-view.ts";

/** Returns the caller's profile (decisions §2). */
export const getMe = useCase({
  access: "user",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, caller }): Promise<UserView> {
    return viewUser(await userOrThrow(storage.users.find(caller.userId), caller.userId));
  },
});
