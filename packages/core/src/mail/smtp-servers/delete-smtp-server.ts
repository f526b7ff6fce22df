import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";

/** Removes a mail server; e-mails that wait for it use another one that accepts their sender (platform.md P5). */
export const deleteSmtpServer = useCase({
  access: "smtp_servers:write",
  locksWorkspace: true,
  input: z.strictObject({ smtpServerId: uuidField.describe("The mail server's id, a UUID.") }),
  async run({ storage, workspace, emit, wake }, { smtpServerId }): Promise<void> {
    const server = await storage.smtpServers.delete(workspace.id, smtpServerId);
    if (server === undefined)
      throw new ServiceError("not_found", { message: "There is no such mail server." });
    // E-mails that waited for the server's return must not wait any longer.
    await storage.emailQueue.unparkServers(workspace.id);
    const { name, host } = server;
    emit("smtp_server.deleted", { metadata: { smtp_server_id: smtpServerId, name, host } });
    wake("emails");
  },
});
