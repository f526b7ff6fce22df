import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";

/** Deletes a pending invitation of the workspace (service.md, Invitations). */
export const cancelInvitation = useCase({
  access: "invitations:write",
  input: z.strictObject({ id: z.int().positive().describe("The invitation's number.") }),
  async run({ storage, workspace, emit }, { id }): Promise<void> {
    const invitation = orNotFound(await storage.invitations.delete(workspace.id, id), "such invitation");
    emit("invitation.cancelled", { metadata: { invitation_id: id, email: invitation.email } });
  },
});
