import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { emailAddress } from "../email-address.ts";
import { type UserView, viewUser } from "./user-view.ts";

/** Returns the user with an address. For the command line, where users are named by address. */
export const getUserByEmail = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ email: emailAddress }),
  async run({ storage }, { email }): Promise<UserView> {
    const user = await storage.users.findByEmail(email);
    if (user === undefined) throw new ServiceError("not_found", { message: `There is no user ${email}.` });
    return viewUser(user);
  },
});
