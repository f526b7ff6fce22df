import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import type { SmtpServer } from "../../ports/storage.ts";
import { type SmtpServerView, viewSmtpServers } from "./smtp-server-view.ts";

const pages = pagesOf("mail servers");

/** Lists the workspace's own mail servers, by priority, then oldest first (platform.md P5). */
export const listSmtpServers = useCase({
  access: "smtp_servers:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace, runtime }, asked): Promise<Page<SmtpServerView>> {
    const placeOf = ({ priority, row }: SmtpServer) => ({ time: priority, key: row });
    const page = pages.pageOfAll(await storage.smtpServers.list(workspace.id), asked, placeOf);
    const now = runtime.queueClock.now();
    return { ...page, items: await viewSmtpServers(storage, page.items, { role: workspace.role, now }) };
  },
});
