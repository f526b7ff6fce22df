import type { WriteContext } from "../../calls/use-case.ts";
import type { Suppression } from "../../ports/storage.ts";

/**
 * Takes the recipient of a suppression that is removed from the count of the campaign whose e-mail unsubscribed them: who
 * unsubscribes again is counted again.
 */
export async function uncountUnsubscription(
  { storage, now }: Pick<WriteContext, "storage" | "now">,
  workspaceId: number,
  { origin, emailId }: Pick<Suppression, "origin" | "emailId">,
): Promise<void> {
  if (origin !== "unsubscribe" || emailId === undefined) return;
  const email = await storage.emails.find(workspaceId, emailId, now);
  if (email?.campaignId === undefined) return;
  await storage.campaigns.count([{ campaignId: email.campaignId, counter: "unsubscribed", by: -1 }]);
}
