import { listMyAuditLog, listWorkspaceAuditLog } from "./list-audit-log.ts";

/** Who changed what. */
export const auditLog = { listForWorkspace: listWorkspaceAuditLog, listMine: listMyAuditLog } as const;
