import { z } from "zod";
import { useCase } from "../../../calls/use-case.ts";
import type { Rejections } from "../../../files/list-file.ts";
import type { Mailbox } from "../../../ports/mailer.ts";
import type { CampaignRecipient, Repositories } from "../../../ports/storage.ts";
import { campaignId, recipientsField } from "../campaign-fields.ts";
import { assertEditable, findCampaignOrThrow } from "../campaign-view.ts";

/** Result of adding recipients. A list in the request, unlike a file, is refused as a whole if any entry is invalid. */
export interface AddedRecipients extends Rejections {
  /** Recipients added to the list. */
  added: number;
  /** Recipients who were already on the list. */
  duplicates: number;
}

/**
 * Adds recipients to a campaign that has not begun; those who are already on its list stay unchanged (platform.md P9).
 */
export const addCampaignRecipients = useCase({
  access: "campaigns:write",
  refusals: ["campaign_not_editable"],
  input: z.strictObject({ campaignId, recipients: recipientsField.min(1, "needs at least one recipient") }),
  async run({ storage, workspace, emit }, { campaignId: id, recipients }): Promise<AddedRecipients> {
    const campaign = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    assertEditable(campaign);
    const { added, duplicates } = await putOnList(storage, id, toNewRecipients(recipients));
    if (added > 0)
      emit("campaign.updated", { metadata: { campaign_id: id, name: campaign.name, added, changes: {} } });
    return { added, duplicates, rejected: [], rejectedTotal: 0 };
  },
});

type NewRecipients = Pick<CampaignRecipient, "name" | "address" | "templateData">[];

/** Converts recipients to the form that the storage takes. */
export const toNewRecipients = (
  recipients: readonly { to: Mailbox; templateData?: Record<string, unknown> | undefined }[],
): NewRecipients =>
  recipients.map(({ to, templateData = {} }) => ({ name: to.name, address: to.address, templateData }));

/** Adds recipients, and counts those who were already on the list and lines without a valid recipient. */
export async function putOnList(
  { campaigns }: Pick<Repositories, "campaigns">,
  id: number,
  recipients: NewRecipients,
  invalid = 0,
): Promise<Pick<AddedRecipients, "added" | "duplicates">> {
  const added = await campaigns.addRecipients(id, recipients);
  const duplicates = recipients.length - added;
  const changes = [
    { campaignId: id, counter: "duplicates", by: duplicates },
    { campaignId: id, counter: "invalid", by: invalid },
  ] as const;
  await campaigns.count(changes.filter(({ by }) => by > 0));
  return { added, duplicates };
}
