// Printed by `npm run verbs`. Do not edit.
export const auditLogWords = {
  "auditLog.listForWorkspace":
    "Lists the workspace's audit log, newest first (service.md, Audit logs and events): the category `audit`, or another that is asked for. E-mails tell of their own events, so that a filter for `email` finds nothing.",
  "auditLog.listMine":
    "Lists the caller's own security log: logins, passwords, two-factor login and sessions (service.md, Audit logs and events).",
};
