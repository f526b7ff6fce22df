import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type InvitationView, viewInvitation } from "./invitation-view.ts";

/** Lists the workspace's pending invitations, newest first, without expired ones (service.md, Invitations). */
export const listInvitations = useCase({
  access: "invitations:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace, now }): Promise<Page<InvitationView>> {
    const pending = await storage.invitations.listPending(workspace.id, now);
    return onlyPage(pending.map((invitation) => viewInvitation(invitation, "")));
  },
});
