import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";

/** Deletes a pending invitation of the workspace (service.md, Invitations). */
export const cancelInvitation = useCase({
  access: "invitations:write",
  input: z.strictObject({ id: z.int().positive().describe("The invitation's number.") }),
  async run({ storage, workspace, emit }, { id }): Promise<void> {
    const invitation = await storage.invitations.delete(workspace.id, id);
    if (invitation === undefined)
      throw new ServiceError("not_found", { message: "There is no such invitation." });
    emit("invitation.cancelled", { metadata: { invitation_id: id, email: invitation.email } });
  },
});
