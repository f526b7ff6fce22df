import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { administeredUserWire, loginWire, revokedWire, sessionWire, userWire } from "../wire/people.ts";
import { fixedMessage, messageWire } from "../wire/schemas.ts";

const { accounts, users } = useCases;

/** Routes of registration and login, and of the caller's own profile (decisions §2). */
export const accountRoutes = [
  route("POST /auth/register", accounts.register, {
    summary: "Open an account",
    status: 201,
    reply: userWire,
  }),
  route("POST /auth/login", accounts.login, {
    summary: "Log in",
    reply: loginWire,
    statuses: { invalid_two_factor_code: 401 },
  }),
  route("POST /auth/verify-email", accounts.verifyEmail, {
    summary: "Verify an address by a mailed token and a password",
    reply: userWire,
  }),
  route("POST /auth/resend-verification", accounts.resendVerification, {
    summary: "Send another verification link",
    status: 202,
    reply: messageWire,
  }),
  route("POST /auth/forgot-password", accounts.forgotPassword, {
    summary: "Send a password reset link",
    status: 202,
    reply: messageWire,
  }),
  route("POST /auth/reset-password", accounts.resetPassword, {
    summary: "Reset a password by a mailed token",
    reply: messageWire,
  }),
  route("GET /users/me", users.getMe, { summary: "Read the own profile", reply: userWire }),
  route("PUT /users/me", users.updateMe, { summary: "Change the own profile", reply: userWire }),
  route("DELETE /users/me", users.deleteMe, {
    summary: "Delete your account",
    reply: messageWire,
  }),
  route("PUT /users/me/password", users.changePassword, {
    summary: "Change your password",
    reply: messageWire,
  }),
  route("DELETE /admin/users/{userId}", users.delete, {
    summary: "Delete a user's account",
    reply: fixedMessage("Account deleted"),
  }),
  route("GET /admin/users", users.list, {
    summary: "List users",
    envelope: "page",
    reply: administeredUserWire,
  }),
  route("POST /admin/users", users.create, {
    summary: "Create a user",
    status: 201,
    reply: administeredUserWire,
  }),
  route("GET /admin/users/{userId}", users.get, { summary: "Read a user", reply: administeredUserWire }),
  route("POST /admin/users/{userId}/administrator", users.promote, {
    summary: "Make a user an administrator",
    reply: administeredUserWire,
  }),
  route("DELETE /admin/users/{userId}/administrator", users.demote, {
    summary: "Remove a user's administrator rights",
    reply: administeredUserWire,
  }),
  route("GET /admin/users/{userId}/sessions", users.listSessions, {
    summary: "List a user's sessions",
    envelope: "page",
    reply: sessionWire,
  }),
  route("DELETE /admin/users/{userId}/sessions", users.revokeSessions, {
    summary: "Revoke all of a user's sessions",
    reply: revokedWire,
  }),
  route("PUT /admin/users-by-external-id/{externalId}", users.ensure, {
    summary: "Create or update a user by external id",
    reply: administeredUserWire,
  }),
  route("PUT /admin/users/{userId}/external-id", users.link, {
    summary: "Set an account's external id",
    reply: administeredUserWire,
  }),
] as const;
