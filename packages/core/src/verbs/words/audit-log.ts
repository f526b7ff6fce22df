// Printed by `npm run verbs`. Do not edit.
export const auditLogWords = {
  "auditLog.listForWorkspace":
    "The workspace's audit log, newest first (service.md, Audit logs and events). It holds the category audit only, so any other category finds nothing.",
  "auditLog.listMine":
    "The caller's own security log: logins, passwords, two-factor login, sessions (service.md, Audit logs and events).",
};
