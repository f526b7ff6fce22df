import { listMyAuditLog, listWorkspaceAuditLog } from "./list-audit-log.ts";

/** Audit logs: changes and who made them. */
export const auditLog = { listForWorkspace: listWorkspaceAuditLog, listMine: listMyAuditLog } as const;
