// Loaded with the first code, as it would cost every process 25 ms at the start.
const load = () => import("otplib");

const periodSeconds = 30;

/** Creates a shared secret: 160 random bits in base32, 32 characters (RFC 4226 section 4). */
export async function createTotpSecret(): Promise<string> {
  const { generateSecret } = await load();
  return generateSecret({ length: 20 });
}

/** Returns the `otpauth://` URL that hands the secret to an authenticator app. */
export function totpUrl({
  secret,
  account,
  issuer,
}: {
  secret: string;
  account: string;
  issuer: string;
}): string {
  // A colon separates issuer and account in the label, so neither may contain one.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(":", " "))).join(":");
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer.replaceAll(":", " "))}`;
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=6&period=${periodSeconds}`;
}

/**
 * Checks a code (RFC 6238, SHA-1, 6 digits, 30 s, one step of drift either way). Returns the time step that it belongs
 * to, or `undefined`. The caller must refuse a step that was used before. Never throws for a malformed code. `now` is
 * in ms since 1970.
 */
export async function verifyTotp(secret: string, code: string, now: number): Promise<number | undefined> {
  const token = code.replaceAll(" ", "");
  if (!/^[0-9]{6}$/.test(token)) return undefined;
  const { verifySync } = await load();
  const epoch = Math.floor(now / 1000);
  const found = verifySync({ secret, token, epoch, epochTolerance: periodSeconds });
  return found.valid && "timeStep" in found ? found.timeStep : undefined;
}
