import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import type { Rejections } from "../../files/list-file.ts";
import type { Mailbox } from "../../ports/mailer.ts";
import type { CampaignRecipient } from "../../ports/storage/campaigns.ts";
import type { Repositories } from "../../ports/storage.ts";
import { campaignId, recipientsField } from "./campaign-fields.ts";
import { assertDraft, findCampaignOrThrow } from "./campaign-view.ts";

/** What came of a list; one that is no file is refused as a whole, where something of it is wrong. */
export interface AddedRecipients extends Rejections {
  /** Who is on the list now and was not before. */
  added: number;
  /** Who was on the list already. */
  duplicates: number;
}

/** Adds recipients to a campaign that has not begun; recipients that are on its list already stay as they are (platform.md P9). */
export const addCampaignRecipients = useCase({
  access: "campaigns:write",
  refusals: ["campaign_not_editable"],
  input: z.strictObject({ campaignId, recipients: recipientsField.min(1, "needs at least one recipient") }),
  async run({ storage, workspace, emit }, { campaignId: id, recipients }): Promise<AddedRecipients> {
    const campaign = await findCampaignOrThrow(storage, workspace.id, id, { lock: true });
    assertDraft(campaign);
    const { added, duplicates } = await putOnList(storage, id, toNewRecipients(recipients));
    if (added > 0) emit("campaign.updated", { metadata: { campaign_id: id, name: campaign.name, added } });
    return { added, duplicates, rejected: [], rejectedTotal: 0 };
  },
});

type NewRecipients = Pick<CampaignRecipient, "name" | "address" | "templateData">[];

/** Recipients as the storage takes them. */
export const toNewRecipients = (
  recipients: readonly { to: Mailbox; templateData?: Record<string, unknown> | undefined }[],
): NewRecipients =>
  recipients.map(({ to, templateData = {} }) => ({ name: to.name, address: to.address, templateData }));

/** Adds recipients, and counts who did not come on the list: who was on it already, and lines that named nobody. */
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
