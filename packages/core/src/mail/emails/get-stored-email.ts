import { ServiceError } from "../../errors.ts";
import type { Email } from "../../ports/storage/emails.ts";
import type { Repositories } from "../../ports/storage.ts";

/**
 * Returns an e-mail of the workspace, or of any with `all`, with its status at `now`, ms since the epoch. Throws
 * `not_found` if there is none.
 */
export async function getStoredEmail(
  { emails }: Pick<Repositories, "emails">,
  workspaceId: number | "all",
  emailId: string,
  now: number,
): Promise<Email> {
  const email = await emails.find(workspaceId, emailId, now);
  if (email === undefined) throw new ServiceError("not_found", { message: "There is no such e-mail." });
  return email;
}
