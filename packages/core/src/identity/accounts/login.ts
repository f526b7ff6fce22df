import { z } from "zod";
import { type ReadContext, useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { User } from "../../ports/storage.ts";
import { emailAddress } from "../email-address.ts";
import { guardOf, reserveAttempt } from "../guard-attempts.ts";
import { recoveryCodeDigest } from "../rules/recovery-codes.ts";
import { verifyTotp } from "../rules/totp.ts";
import { openTotpSecret } from "../two-factor/totp-secret.ts";
import { twoFactorText } from "../two-factor/two-factor-code.ts";
import { passwordText } from "../users/user-fields.ts";
import { type UserView, viewUser } from "../users/user-view.ts";
import { type CheckedPassword, checkPassword } from "./check-password.ts";

/** Lifetime of a login: 24 hours, in ms (service.md, Limits). */
const lifetime = 24 * 60 * 60_000;
const maxUserAgent = 512;
/**
 * Number of sessions that a user may have, ended ones too. A program that logs in before each call makes one each time,
 * and a change of the password, which ends all of them in one transaction, must not become too long for it.
 */
const maxSessions = 10_000;

/** A successful login (decisions §2). */
export interface LoggedIn {
  /** The session's JWT, for the header `Authorization: Bearer`. */
  token: string;
  /** The type of the token (RFC 6750). */
  tokenType: "Bearer";
  /** When the token expires, ms since the epoch. */
  expiresAt: number;
  /** The session's id, a UUID. */
  sessionId: string;
  /** The user who is logged in. */
  user: UserView;
}

/** Results of the checks before the transaction. */
export interface Prepared {
  checked: CheckedPassword;
  /** Signed before the transaction. The token is valid only once its session is stored. */
  session: { id: string; token: string; expiresAt: number };
  /** Whether an attempt at a two-factor code was counted. */
  codeCounted: boolean;
}

/** Logs a user in. The answer does not distinguish an unknown address from a wrong password (decisions §2). */
export const login = useCase({
  access: "anonymous",
  refusals: ["invalid_credentials", "invalid_two_factor_code", "rate_limited", "two_factor_required"],
  input: z.strictObject({
    email: emailAddress,
    password: passwordText,
    // Many forms and clients send a field that was left empty.
    twoFactorCode: twoFactorText
      .nullish()
      .describe(
        "A six-digit code from the authenticator app, or a recovery code. Null or an empty one counts as none.",
      ),
  }),
  async prepare(context, input): Promise<Prepared> {
    const checked = await checkPassword(context, input);
    const codeCounted =
      checked.right && checked.user.twoFactorEnabledAt !== undefined && Boolean(input.twoFactorCode);
    if (codeCounted) await reserveAttempt(context, guardOf.codes(checked.user.id));
    return { checked, session: await signSession(context, checked.user?.id ?? 0), codeCounted };
  },
  async run(
    context,
    { twoFactorCode: code },
    { checked, session, codeCounted },
  ): Promise<LoggedIn | ServiceError> {
    const { storage, now, client, emit } = context;
    if (!checked.right) return refuse(context, checked.user, "invalid_credentials");
    const user = await storage.users.lock(checked.user.id);
    // Another request changed the password while it was being checked, and did not only rehash it.
    const isRehashed = checked.rehash !== undefined && user?.passwordHash === checked.rehash;
    if (user === undefined || (user.passwordHash !== checked.user.passwordHash && !isRehashed))
      return refuse(context, user, "invalid_credentials");
    const twoFactor = user.twoFactorEnabledAt !== undefined;
    if (twoFactor) {
      if (!code || !codeCounted) return refuse(context, user, "two_factor_required");
      if (!(await consumeCode(context, user, code))) return refuse(context, user, "invalid_two_factor_code");
      await storage.guards.clear(guardOf.codes(user.id).key);
    }
    if (checked.rehash !== undefined && !isRehashed)
      await storage.users.update(user.id, { passwordHash: checked.rehash });
    await storage.sessions.insert({
      id: session.id,
      userId: user.id,
      userAgent: client.userAgent.slice(0, maxUserAgent),
      ipAddress: client.ip,
      createdAt: now,
      expiresAt: session.expiresAt,
    });
    await storage.sessions.deleteOldest(user.id, maxSessions);
    emit("user.login", {
      userId: user.id,
      actor: { id: user.id, name: user.name },
      metadata: { session_id: session.id, two_factor: twoFactor },
    });
    return { ...answer(session), user: viewUser(user) };
  },
});

/** Consumes a two-factor code: an authenticator's or a recovery code, each valid once (decisions §2). */
async function consumeCode(
  { storage, runtime, now }: Pick<ReadContext, "storage" | "runtime" | "now">,
  user: User,
  code: string,
): Promise<boolean> {
  if (user.totpSecret === undefined) return false;
  const secret = openTotpSecret(runtime, user.id, user.totpSecret);
  const step = secret === undefined ? undefined : await verifyTotp(secret, code, now);
  return step === undefined
    ? await storage.users.consumeRecoveryCode(user.id, recoveryCodeDigest(code))
    : await storage.users.consumeTotpStep(user.id, step);
}

async function signSession({ runtime, now }: ReadContext, userId: number): Promise<Prepared["session"]> {
  const id = runtime.newId();
  const expiresAt = now + lifetime;
  const token = await runtime.tokens.sign({ userId, sessionId: id, issuedAt: now, expiresAt });
  return { id, token, expiresAt };
}

const answer = ({ id, token, expiresAt }: Prepared["session"]): Omit<LoggedIn, "user"> => ({
  token,
  tokenType: "Bearer",
  expiresAt,
  sessionId: id,
});

/**
 * Records a failed login and returns the error. It is not thrown, as a throw would roll the record back. Failures for
 * unknown addresses are recorded too, without a user: otherwise the time of the write would reveal which addresses are
 * known.
 */
function refuse(
  { emit }: Pick<WriteContext, "emit">,
  user: User | undefined,
  code: "invalid_credentials" | "two_factor_required" | "invalid_two_factor_code",
): ServiceError {
  emit("user.login_failed", {
    ...(user === undefined ? {} : { userId: user.id }),
    actor: { id: undefined, name: "" },
    metadata: { reason: user === undefined ? "unknown_address" : code },
  });
  return new ServiceError(code);
}
