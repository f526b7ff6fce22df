import type { WriteContext } from "../../calls/use-case.ts";
import type { User } from "../../ports/storage.ts";
import { mailboxOf } from "../users/user-view.ts";

/** Revokes all sessions but `exceptSessionId`, and mails the user that two-factor login was enabled or disabled. */
export async function announceChange(
  { storage, now, mail }: Pick<WriteContext, "storage" | "now" | "mail">,
  user: User,
  { state, exceptSessionId }: { state: "enabled" | "disabled"; exceptSessionId: string | undefined },
): Promise<void> {
  await storage.sessions.revokeAll(user.id, exceptSessionId, now);
  const isEnabled = state === "enabled" ? "yes" : "";
  mail({ kind: "two_factor_changed", to: mailboxOf(user), data: { name: user.name, state, isEnabled } });
}
