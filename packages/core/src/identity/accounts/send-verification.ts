import type { WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { createToken, digest } from "../../rules/tokens.ts";

const lifetime = 24 * 60 * 60_000;

/** Mails a link that verifies the user's address. It works once, within 24 hours (decisions §2). */
export async function sendVerification(
  { storage, now, config, mail }: Pick<WriteContext, "storage" | "now" | "config" | "mail">,
  user: User,
): Promise<void> {
  const token = createToken();
  await storage.emailTokens.insert({
    digest: digest(token),
    purpose: "verify_email",
    userId: user.id,
    expiresAt: now + lifetime,
  });
  const link = `${config.appUrl}/verify-email?token=${token}`;
  // The mail does not contain the account's name, as a stranger may have opened the account with somebody else's
  // address.
  mail({ kind: "verification", to: { name: "", address: user.email }, data: { link } });
}
