import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import { emailAddress } from "../email-address.ts";
import { type UserView, viewUser } from "./user-view.ts";

/** Returns the user with an address. For the command line, where users are named by address. */
export const getUserByEmail = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({ email: emailAddress }),
  async run({ storage }, { email }): Promise<UserView> {
    const user = orNotFound(await storage.users.findByEmail(email), `user ${email}`);
    return viewUser(user);
  },
});
