import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { eventCategory, type LoggedEvent, viewEvent } from "../event-view.ts";

const pages = pagesOf("audit log");
const ownPages = pagesOf("own audit log");

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
    if (input.category === "email") return pages.pageOf(nothing, input, viewEvent);
    const filter = { workspaceId: workspace.id, category: input.category };
    return pages.pageOf(await storage.events.list(filter, pages.sliceOf(input)), input, viewEvent);
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
    return ownPages.pageOf(await storage.events.list(filter, ownPages.sliceOf(input)), input, viewEvent);
  },
});
