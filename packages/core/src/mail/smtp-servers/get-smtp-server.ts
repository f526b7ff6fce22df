import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { findSmtpServerOrThrow, type SmtpServerView, viewSmtpServer } from "./smtp-server-view.ts";

/** Reads one of the workspace's own mail servers, with its state (platform.md P5). */
export const getSmtpServer = useCase({
  access: "smtp_servers:read",
  reads: true,
  input: z.strictObject({ smtpServerId: uuidField.describe("The mail server's id, a UUID.") }),
  async run({ storage, workspace, runtime }, { smtpServerId }): Promise<SmtpServerView> {
    const server = await findSmtpServerOrThrow(storage, workspace.id, smtpServerId);
    return viewSmtpServer(storage, server, { role: workspace.role, now: runtime.queueClock.now() });
  },
});
