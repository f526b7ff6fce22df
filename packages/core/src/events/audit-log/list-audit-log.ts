import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { eventCategory, type LoggedEvent, viewEvent } from "../event-view.ts";

const nothing = { items: [], total: 0, after: undefined };

/**
 * Lists the workspace's audit log, newest first (service.md, Audit logs and events): the category `audit`, or another
 * that is asked for. E-mails tell of their own events, so that a filter for `email` finds nothing.
 */
export const listWorkspaceAuditLog = useCase({
  access: "audit_log:read",
  reads: true,
  input: z.strictObject({
    ...paging,
    category: eventCategory
      .default("audit")
      .describe(
        "Lists only events of this category: `audit`, `campaign`, `webhook` (webhooks that were switched off) or `system` (mail servers that went down). Default audit. `email` finds nothing.",
      ),
  }),
  async run({ storage, workspace }, input): Promise<Page<LoggedEvent>> {
    if (input.category === "email") return pageOf(nothing, input, viewEvent);
    const filter = { workspaceId: workspace.id, category: input.category };
    return pageOf(await storage.events.list(filter, sliceOf(input)), input, viewEvent);
  },
});

/**
 * Lists the caller's own security log: logins, passwords, two-factor login and sessions (service.md, Audit logs and
 * events).
 */
export const listMyAuditLog = useCase({
  access: "user",
  reads: true,
  input: z.strictObject({ ...paging }),
  async run({ storage, caller }, input): Promise<Page<LoggedEvent>> {
    const filter = { workspaceId: "all", userId: caller.userId, category: "audit" } as const;
    return pageOf(await storage.events.list(filter, sliceOf(input)), input, viewEvent);
  },
});
