import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { type SmtpServerView, viewSmtpServers } from "./smtp-server-view.ts";

/** The workspace's own mail servers, by priority, then the oldest first (platform.md P5). */
export const listSmtpServers = useCase({
  access: "smtp_servers:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace, runtime }): Promise<SmtpServerView[]> {
    const servers = await storage.smtpServers.list(workspace.id);
    return viewSmtpServers(storage, servers, { role: workspace.role, now: runtime.queueClock.now() });
  },
});
