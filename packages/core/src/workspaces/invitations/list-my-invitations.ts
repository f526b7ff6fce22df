import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { type InvitationView, viewInvitation } from "./invitation-view.ts";

/**
 * Lists the pending invitations to the caller's address. The address must be verified: otherwise a stranger could read
 * them (service.md, Invitations).
 */
export const listMyInvitations = useCase({
  access: "user",
  refusals: ["email_not_verified"],
  reads: true,
  input: z.strictObject({}),
  async run({ storage, caller, now }): Promise<Page<InvitationView>> {
    if (!caller.emailVerified) throw new ServiceError("email_not_verified");
    const pending = await storage.invitations.listPendingFor(caller.email, now);
    return onlyPage(pending.map((invitation) => viewInvitation(invitation, invitation.workspaceName)));
  },
});
