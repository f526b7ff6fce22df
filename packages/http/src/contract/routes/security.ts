import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { eventPositionWire, eventWire } from "../wire/events.ts";
import {
  qrCodeWire,
  revokedWire,
  sessionWire,
  twoFactorDisabledWire,
  twoFactorEnabledWire,
  twoFactorSetupWire,
} from "../wire/people.ts";
import { fixedMessage, messageWire } from "../wire/schemas.ts";

const { twoFactor, sessions, users, auditLog, events } = useCases;

/** Routes of two-factor login, sessions and logs (service.md). */
export const securityRoutes = [
  route("POST /users/me/2fa/setup", twoFactor.setup, {
    summary: "Set up two-factor login",
    reply: twoFactorSetupWire,
  }),
  route("GET /users/me/2fa/qr", twoFactor.qr, {
    summary: "Read the pending two-factor set-up as a QR code",
    reply: qrCodeWire,
  }),
  route("POST /users/me/2fa/verify", twoFactor.verify, {
    summary: "Enable two-factor login by a first code",
    reply: twoFactorEnabledWire,
  }),
  route("POST /users/me/2fa/disable", twoFactor.disable, {
    summary: "Disable two-factor login",
    reply: twoFactorDisabledWire,
  }),
  route("DELETE /admin/users/{userId}/2fa", users.resetTwoFactor, {
    summary: "Disable a user's two-factor login",
    reply: fixedMessage("Two-factor login disabled"),
  }),
  route("GET /users/me/sessions", sessions.list, {
    summary: "List your sessions",
    envelope: "page",
    reply: sessionWire,
  }),
  route("DELETE /users/me/sessions/{sessionId}", sessions.revoke, {
    summary: "Revoke a session",
    reply: messageWire,
  }),
  route("POST /users/me/sessions/revoke-others", sessions.revokeOthers, {
    summary: "Revoke all sessions but the current one",
    reply: revokedWire,
  }),
  route("POST /users/me/sessions/logout", sessions.logout, {
    summary: "Log out of the current session",
    reply: messageWire,
  }),
  route("GET /users/me/audit-log", auditLog.listMine, {
    summary: "List your security events",
    envelope: "page",
    reply: eventWire,
  }),
  route("GET /workspaces/current/audit-log", auditLog.listForWorkspace, {
    summary: "List the workspace's audit events",
    envelope: "page",
    reply: eventWire,
  }),
  route("GET /admin/events", events.list, {
    summary: "List the platform's events",
    envelope: "page",
    reply: eventWire,
  }),
  route("GET /admin/events/position", events.getPosition, {
    summary: "Read the event log's position",
    reply: eventPositionWire,
  }),
] as const;
