import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { Invitation } from "../../ports/storage.ts";
import { addressKey } from "../../rules/address-key.ts";
import { digest } from "../../rules/tokens.ts";

interface Applicant {
  email: string;
  invitationToken?: string | undefined;
}

/** Facts about an account that may be created. */
export interface Admission {
  /** The applicant's invitation. Holding its token proves the address. */
  invitation: Invitation | undefined;
  /**
   * Whether the operator vouches for the applicant: by creating the account itself, or through an invitation to a
   * trusted workspace.
   */
  isVouchedFor: boolean;
}

/**
 * Refuses callers that the setting `registration` excludes, before any read of the storage. The operator may always
 * create accounts. Throws `registration_closed` or `invitation_required`.
 */
export function assertRegistration(
  { config, caller }: Pick<ReadContext, "config" | "caller">,
  { invitationToken }: Pick<Applicant, "invitationToken">,
): void {
  if (caller.kind === "operator") return;
  if (config.registration === "closed") throw new ServiceError("registration_closed");
  if (config.registration === "invited" && invitationToken === undefined)
    throw new ServiceError("invitation_required");
}

/**
 * Finds the applicant's invitation, and whether the operator vouches for them. Throws `validation_failed` for an
 * unknown token, `invitation_for_another_user`, `invitation_not_pending`, `invitation_expired`.
 */
export async function admitRegistration(
  context: Pick<ReadContext, "config" | "caller" | "storage" | "now">,
  applicant: Applicant,
): Promise<Admission> {
  const { config, caller, storage } = context;
  const invitation = await findInvitation(context, applicant);
  if (caller.kind === "operator") return { invitation, isVouchedFor: true };
  // With open registration anybody can create a workspace and invite, so an invitation vouches for nobody.
  const counts = invitation !== undefined && config.registration !== "open";
  const inviting = counts ? await storage.workspaces.find(invitation.workspaceId) : undefined;
  return { invitation, isVouchedFor: inviting?.isTrusted === true };
}

async function findInvitation(
  { storage, now }: Pick<ReadContext, "storage" | "now">,
  { email, invitationToken }: Applicant,
): Promise<Invitation | undefined> {
  if (invitationToken === undefined) return undefined;
  const invitation = await storage.invitations.findByToken(digest(invitationToken));
  if (invitation === undefined) throw fieldError("invitationToken", "is unknown; ask to be invited again");
  if (addressKey(invitation.email) !== addressKey(email))
    throw new ServiceError("invitation_for_another_user");
  if (invitation.status !== "pending") throw new ServiceError("invitation_not_pending");
  if (invitation.expiresAt <= now) throw new ServiceError("invitation_expired");
  return invitation;
}
