import type { User } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { totpUrl } from "../rules/totp.ts";

/** How long a set-up waits for its first code, ms (decisions §2). */
export const setupLifetime = 10 * 60_000;

// The same place before and after verification: the pending secret becomes the user's without being sealed anew.
const placeOf = (userId: number): string => `users:totp_secret:${userId}`;

/** The secret as it is kept. */
export const sealTotpSecret = (runtime: Pick<Runtime, "secrets">, userId: number, secret: string): string =>
  runtime.secrets.seal(secret, placeOf(userId));

/** The secret as the authenticator knows it. */
export const openTotpSecret = (runtime: Pick<Runtime, "secrets">, userId: number, sealed: string): string =>
  runtime.secrets.open(sealed, placeOf(userId));

/** The sealed secret that waits for its first code; `undefined` where none does, or it has lapsed. */
export function pendingSecretOf(user: User, now: number): string | undefined {
  const { pendingTotpSecret: secret, pendingTotpExpiresAt: expiresAt } = user;
  return secret !== undefined && expiresAt !== undefined && now < expiresAt ? secret : undefined;
}

/** What the authenticator app scans. */
export const authenticatorUrl = (user: Pick<User, "email">, secret: string): string =>
  totpUrl({ secret, account: user.email, issuer: "Posthorn" });
