import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type User = OutputOf<Core["users"]["getMe"]>;
type LoggedIn = OutputOf<Core["accounts"]["login"]>;
type Session = OutputOf<Core["sessions"]["list"]>["items"][number];

/** `User` (decisions §2). */
export const userWire = wire(
  named(
    "User",
    z.object({
      id: integer,
      name: z.string(),
      email: z.string(),
      email_verified: z.boolean(),
      two_factor_enabled: z.boolean(),
      is_admin: z.boolean(),
      created_at: timestamp,
    }),
  ),
  (user: User) => ({
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified: user.emailVerified,
    two_factor_enabled: user.twoFactorEnabled,
    is_admin: user.isAdmin,
    created_at: time(user.createdAt),
  }),
);

/** A user as administrators see it, with the host's own id. */
export const administeredUserWire = wire(
  named("AdministeredUser", userWire.schema.extend({ external_id: z.string().nullable() })),
  (user: User) => ({ ...userWire.from(user), external_id: user.externalId ?? null }),
);

/** Response to a login (decisions §2). */
export const loginWire = wire(
  named(
    "Login",
    z.object({
      token: z.string(),
      token_type: z.literal("Bearer"),
      expires_at: timestamp,
      session_id: uuid,
      user: userWire.schema,
    }),
  ),
  (login: LoggedIn) => ({
    token: login.token,
    token_type: login.tokenType,
    expires_at: time(login.expiresAt),
    session_id: login.sessionId,
    user: userWire.from(login.user),
  }),
);

/** `Session` (service.md, Session). */
export const sessionWire = wire(
  named(
    "Session",
    z.object({
      id: uuid,
      user_agent: z.string(),
      ip_address: z.string(),
      created_at: timestamp,
      expires_at: timestamp,
      revoked: z.boolean(),
    }),
  ),
  (session: Session) => ({
    id: session.id,
    user_agent: session.userAgent,
    ip_address: session.ipAddress,
    created_at: time(session.createdAt),
    expires_at: time(session.expiresAt),
    revoked: session.revoked,
  }),
);

/** Response to revoking several sessions at once. */
export const revokedWire = wire(
  named("RevokedSessions", z.object({ message: z.string(), revoked: integer })),
  ({ message, revoked }: OutputOf<Core["sessions"]["revokeOthers"]>) => ({ message, revoked }),
);

/** Two-factor setup data (service.md). */
export const twoFactorSetupWire = wire(
  named("TwoFactorSetup", z.object({ secret: z.string(), url: z.string() })),
  ({ secret, url }: OutputOf<Core["twoFactor"]["setup"]>) => ({ secret, url }),
);

/** The recovery codes, shown only once (decisions §2). */
export const twoFactorEnabledWire = wire(
  z.object({ enabled: z.boolean(), recovery_codes: z.array(z.string()) }),
  ({ enabled, recoveryCodes }: OutputOf<Core["twoFactor"]["verify"]>) => ({
    enabled,
    recovery_codes: recoveryCodes,
  }),
);

export const twoFactorDisabledWire = wire(
  z.object({ enabled: z.boolean() }),
  ({ enabled }: OutputOf<Core["twoFactor"]["disable"]>) => ({ enabled }),
);

/** The pending two-factor setup as a QR code. */
export const qrCodeWire = wire(z.object({ svg: z.string() }), (svg: string) => ({ svg }));
