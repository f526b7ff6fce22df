import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type SmtpServerView, viewSmtpServers } from "./smtp-server-view.ts";

const pages = pagesOf("mail servers");

/** Lists the workspace's own mail servers, by priority, then oldest first (platform.md P5). */
export const listSmtpServers = useCase({
  access: "smtp_servers:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace, runtime }, page): Promise<Page<SmtpServerView>> {
    const servers = await storage.smtpServers.list(workspace.id);
    const now = runtime.queueClock.now();
    return pages.pageOfAll(await viewSmtpServers(storage, servers, { role: workspace.role, now }), page);
  },
});
