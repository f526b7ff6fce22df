import { z } from "zod";
import { externalId } from "../../calls/external-id.ts";
import { personName } from "../../calls/input/name-field.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { addressKey } from "../../rules/address-key.ts";
import { emailAddress } from "../email-address.ts";
import { markVerified } from "./mark-verified.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { mailboxOf, type UserView, viewUser } from "./user-view.ts";

interface Given {
  externalId: string;
  name: string;
  email: string;
}

/**
 * Creates or updates the user with the host's own id: created if there is none, updated if the name or address differs. Such a user has no
 * password, and the address counts as verified, as the host vouches for both. Repeating it is safe, and so are concurrent calls. Throws
 * `email_taken` if another account has the address: set that account's external id instead.
 */
export const ensureUser = useCase({
  access: "administrator",
  refusals: ["email_taken"],
  input: z.strictObject({ externalId, name: personName, email: emailAddress }),
  async run(context, given): Promise<UserView> {
    const { users } = context.storage;
    const there = await users.findByExternalId(given.externalId);
    if (there !== undefined) return viewUser(await follow(context, there.id, given));
    const made = await make(context, given);
    if (made !== undefined) return viewUser(made);
    const meanwhile = await users.findByExternalId(given.externalId);
    if (meanwhile === undefined) throw new ServiceError("email_taken", addressTaken);
    return viewUser(await follow(context, meanwhile.id, given));
  },
});

const addressTaken = {
  message:
    "There is an account with this e-mail address already: link it to the external id with users.link.",
};

async function make({ storage, now, emit }: WriteContext, given: Given): Promise<User | undefined> {
  const user = await storage.users.insertUnlessThere({
    ...given,
    passwordHash: undefined,
    emailVerifiedAt: now,
    isAdmin: false,
    isVouchedFor: true,
    createdAt: now,
  });
  if (user !== undefined)
    emit("user.created", { userId: user.id, metadata: { email: user.email, is_admin: false } });
  return user;
}

/** Updates the user's name and address to those of the host. */
async function follow(context: WriteContext, id: number, { name, email }: Given): Promise<User> {
  const { storage, emit, mail } = context;
  const before = await userOrThrow(storage.users.lock(id), id);
  if (before.name === name && before.email === email) return before;
  const user = await userOrThrow(
    orTaken(storage.users.rename(id, { name, email }), "email_taken", addressTaken),
    id,
  );
  const changes = {
    ...(before.name === name ? {} : { name: { from: before.name, to: name } }),
    ...(before.email === email ? {} : { email: { from: before.email, to: email } }),
  };
  emit("user.updated", { userId: id, metadata: { changes } });
  if (before.email === email) return user;
  // Over HTTP any administrator can do so, and would then have the password reset.
  if (before.passwordHash !== undefined && addressKey(before.email) !== addressKey(email))
    mail({ kind: "address_changed", to: mailboxOf(before), data: { name: before.name } });
  // Links that were mailed to the former address must not open this account.
  for (const purpose of ["verify_email", "reset_password"] as const)
    await storage.emailTokens.deleteFor(id, purpose);
  return await markVerified(context, user);
}
