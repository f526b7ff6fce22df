import { changePassword } from "./change-password.ts";
import { createUser } from "./create-user.ts";
import { deleteMe, deleteUser } from "./delete-user.ts";
import { ensureUser } from "./ensure-user.ts";
import { getMe } from "./get-me.ts";
import { getUser } from "./get-user.ts";
import { getUserByEmail } from "./get-user-by-email.ts";
import { linkUser } from "./link-user.ts";
import { listUserSessions } from "./list-user-sessions.ts";
import { listUsers } from "./list-users.ts";
import { resetTwoFactor } from "./reset-two-factor.ts";
import { revokeUserSessions } from "./revoke-user-sessions.ts";
import { demoteUser, promoteUser } from "./set-administrator.ts";
import { setUserPassword } from "./set-password.ts";
import { updateMe } from "./update-me.ts";

/** The caller's profile, and administration of users. */
export const users = {
  getMe,
  updateMe,
  changePassword,
  list: listUsers,
  get: getUser,
  getByEmail: getUserByEmail,
  create: createUser,
  ensure: ensureUser,
  link: linkUser,
  deleteMe,
  delete: deleteUser,
  promote: promoteUser,
  demote: demoteUser,
  setPassword: setUserPassword,
  resetTwoFactor,
  listSessions: listUserSessions,
  revokeSessions: revokeUserSessions,
} as const;
