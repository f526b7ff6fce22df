import { createToken, digest } from "../../domain/tokens.ts";
import type { User } from "../../ports/storage.ts";
import type { WriteContext } from "../../use-case.ts";
import { mailboxOf } from "../users/user-view.ts";

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
  mail({ kind: "verification", to: mailboxOf(user), data: { name: user.name, link } });
}
