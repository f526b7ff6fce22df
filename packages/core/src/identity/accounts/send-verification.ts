import type { WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { createToken, digest } from "../../rules/tokens.ts";

const lifetime = 24 * 60 * 60_000;

/** Mails a link that verifies the user's address, once, within 24 hours (decisions §2). */
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
  // Whoever opened the account chose its name, and the address may be another's: so the mail says none of it.
  mail({ kind: "verification", to: { name: "", address: user.email }, data: { link } });
}
