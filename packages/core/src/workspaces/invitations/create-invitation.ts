import { z } from "zod";
import { orTaken } from "../../calls/or-taken.ts";
import { personOf } from "../../calls/outbox.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { emailAddress } from "../../identity/email-address.ts";
import { guardOf, reserveAttempt } from "../../identity/guard-attempts.ts";
import { createToken, digest } from "../../rules/tokens.ts";
import { getWorkspaceOrThrow } from "../workspace-view.ts";
import { type InvitationView, viewInvitation } from "./invitation-view.ts";

/** How long an invitation is valid, in ms (service.md, Limits). */
const validityMs = 7 * 24 * 60 * 60 * 1000;

/** Invites an address to the workspace and mails it the link (service.md, Invitations; decisions §2, §4). */
export const createInvitation = useCase({
  access: "invitations:write",
  refusals: [
    "already_member",
    "email_not_verified",
    "invitation_exists",
    "owner_role_not_assignable",
    "rate_limited",
  ],
  input: z.strictObject({
    email: emailAddress,
    role: z
      .enum(["owner", "admin", "editor", "viewer"], "must be admin, editor or viewer")
      .describe("The member's role: admin, editor or viewer, but not owner."),
  }),
  async prepare(context) {
    const { caller, workspace } = context;
    if (caller.kind === "user" && !caller.emailVerified) throw new ServiceError("email_not_verified");
    const ofCaller = caller.kind === "user" ? guardOf.invitationsBy(caller.userId) : undefined;
    await reserveAttempt(context, guardOf.invitations(workspace.id), ofCaller);
  },
  async run(
    { storage, caller, workspace, config, now, emit, mail },
    { email, role },
  ): Promise<InvitationView> {
    if (role === "owner") throw new ServiceError("owner_role_not_assignable");
    const { name } = await getWorkspaceOrThrow(storage, workspace.id);
    if ((await storage.members.findByEmail(workspace.id, email)) !== undefined)
      throw new ServiceError("already_member");
    await storage.invitations.deleteExpiredFor(workspace.id, email, now);
    const token = createToken();
    const invitation = await orTaken(
      storage.invitations.insert({
        workspaceId: workspace.id,
        email,
        role,
        invitedBy: caller.kind === "user" ? caller.userId : undefined,
        expiresAt: now + validityMs,
        createdAt: now,
        tokenDigest: digest(token),
      }),
      "invitation_exists",
    );
    // Here, as a refusal sends no mail and must not use up what the address may get: this one undoes the invitation.
    if (caller.kind === "user") await reserveAttempt({ storage, now }, guardOf.invitationMails(email));
    emit("invitation.created", { metadata: { invitation_id: invitation.id, email, role } });
    mail({
      kind: "invitation",
      to: { name: "", address: email },
      data: {
        inviter: personOf(caller),
        workspace: name,
        role,
        link: `${config.appUrl}/invitations?token=${token}`,
      },
    });
    return viewInvitation(invitation, "");
  },
});
