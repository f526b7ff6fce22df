import { z } from "zod";
import { personName } from "../../calls/input/name-field.ts";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { emailAddress } from "../email-address.ts";
import { clientGuard, guardOf, reserveAttempt } from "../guard-attempts.ts";
import { markVerified } from "../users/mark-verified.ts";
import { assertNewPassword, hashNewPassword } from "../users/password-work.ts";
import { newPasswordText } from "../users/user-fields.ts";
import { mailboxOf, type UserView, viewUser } from "../users/user-view.ts";
import { admitRegistration, assertRegistration } from "./admit-registration.ts";
import { emailedToken } from "./emailed-token.ts";
import { sendVerification } from "./send-verification.ts";

/**
 * Creates an account if `registration` allows the caller to (decisions §12). An invitation's token verifies the
 * address; without one, a verification link is mailed (decisions §2).
 */
export const register = useCase({
  access: "anonymous",
  refusals: [
    "email_taken",
    "invitation_expired",
    "invitation_for_another_user",
    "invitation_not_pending",
    "invitation_required",
    "rate_limited",
    "registration_closed",
  ],
  input: z.strictObject({
    name: personName,
    email: emailAddress,
    password: newPasswordText,
    invitationToken: emailedToken
      .optional()
      .describe(
        "The token from the link of an invitation to this address. Required unless registration is open.",
      ),
  }),
  async prepare(context, input): Promise<string> {
    const { email, name, password } = input;
    assertRegistration(context, input);
    assertNewPassword(context, password, { email, name });
    const guards = [clientGuard("registrations", context), clientGuard("mails", context)];
    await reserveAttempt(context, ...guards);
    await admitRegistration(context, input);
    return await hashNewPassword(context, password, { email, name }, ...guards);
  },
  async run(context, input, passwordHash): Promise<UserView> {
    const { name, email } = input;
    const { storage, now, emit } = context;
    const { invitation, isVouchedFor } = await admitRegistration(context, input);
    const found = await storage.users.findByEmail(email);
    const user =
      found === undefined
        ? await storage.users.insertUnlessThere({
            name,
            email,
            passwordHash,
            emailVerifiedAt: undefined,
            isAdmin: false,
            isVouchedFor,
            createdAt: now,
          })
        : undefined;
    if (user === undefined) {
      // Invited applicants have proven the address, and the operator may know of accounts: only they learn that it is
      // taken.
      if (invitation !== undefined || context.caller.kind === "operator")
        throw new ServiceError("email_taken");
      // Another registration of the address may have committed since the look-up.
      return await answerAlike(context, input, found ?? (await storage.users.findByEmail(email)));
    }
    emit("user.registered", {
      userId: user.id,
      actor: { id: user.id, name: user.name },
      metadata: { email: user.email },
    });
    if (invitation !== undefined) return viewUser(await markVerified(context, user));
    // Counted like any verification mail, but never refused: an account whose verification mail is missing would be
    // useless.
    const { key, limit, windowMs } = guardOf.verificationMails(email);
    await storage.guards.reserve(key, limit, windowMs, now);
    await sendVerification(context, user);
    return viewUser(user);
  },
});

/**
 * The answer to a stranger who registers an address that has an account: it looks like any other, and its number
 * belongs to no user. The owner is notified by mail, within the limit on verification mails.
 */
async function answerAlike(
  { storage, now, runtime, emit, mail }: WriteContext<"anonymous">,
  { name, email }: { name: string; email: string },
  owner: User | undefined,
): Promise<UserView> {
  if (owner === undefined) throw new ServiceError("unavailable", { retryAfter: 1 });
  const nobody = await storage.users.insert({
    name,
    email: `${runtime.newId()}@nobody.invalid`,
    passwordHash: "!",
    emailVerifiedAt: undefined,
    isAdmin: false,
    createdAt: now,
  });
  await storage.users.delete(nobody.id);
  emit("user.registration_repeated", { userId: owner.id, actor: { id: undefined, name: "" } });
  const { key, limit, windowMs } = guardOf.verificationMails(email);
  const { allowed } = await storage.guards.reserve(key, limit, windowMs, now);
  if (allowed) mail({ kind: "account_exists", to: mailboxOf(owner), data: { name: owner.name } });
  return viewUser({ ...nobody, email });
}
