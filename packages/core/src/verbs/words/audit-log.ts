// Printed by `npm run verbs`. Do not edit.
export const auditLogWords = {
  "auditLog.listForWorkspace":
    "Lists the workspace's audit log, newest first (service.md, Audit logs and events). It contains only the category `audit`, so a filter for any other finds nothing.",
  "auditLog.listMine":
    "Lists the caller's own security log: logins, passwords, two-factor login and sessions (service.md, Audit logs and events).",
};
