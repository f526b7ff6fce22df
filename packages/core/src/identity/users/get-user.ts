import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { type UserView, viewUser } from "./user-view.ts";

/** Returns one user. */
export const getUser = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ userId }),
  async run({ storage }, { userId: id }): Promise<UserView> {
    return viewUser(await userOrThrow(storage.users.find(id), id));
  },
});
