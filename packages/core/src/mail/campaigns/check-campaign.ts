import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import type { ErrorCode } from "../../errors.ts";
import type { Campaign } from "../../ports/storage.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import { unsubscribeUrl } from "../rules/unsubscribe-url.ts";
import { checkDraft } from "../submission/checks.ts";
import type { DraftWarning, EmailDraft } from "../submission/email-draft.ts";
import { renderWhole } from "../submission/render-whole.ts";
import { type CampaignContent, draftFor, findCampaignContent } from "./campaign-draft.ts";
import { campaignId } from "./campaign-fields.ts";
import { campaignFileFaults, chosenOf, findCampaignFiles } from "./campaign-files.ts";
import { findCampaignOrThrow } from "./campaign-view.ts";
import { daysAtLimits } from "./feeding/pace.ts";

/** Result of checking a campaign. */
export interface CampaignCheck {
  /** Number of recipients on the list. */
  recipients: number;
  /** Placeholders without a value, by name: for how many recipients, and the first of those. */
  missing: { name: string; count: number; examples: string[] }[];
  /** Number of suppressed recipients. */
  suppressed: number;
  /** Other reasons by error code: for how many recipients. */
  reasons: { code: ErrorCode; message: string; count: number }[];
  /** Bytes of the first recipient's e-mail: subject, html with tracked links, text and files, before encoding. */
  size: number;
  /** Lines and addresses that were left off the list because they are invalid. */
  invalid: number;
  /** Recipients that were added again while they were already on the list. */
  duplicates: number;
  /** Minimum number of days that the plan's limits and the pace require; 0 if nothing limits the campaign. */
  daysAtLimits: number;
  /** Hints that do not prevent the campaign. */
  warnings: DraftWarning[];
}

const chunk = { limit: 250, maxBytes: 4 * 1024 * 1024 };

/**
 * Checks the whole list as if it were sent: reports missing values, suppressed recipients and the expected duration. Stores
 * nothing (platform.md P9).
 */
export const checkCampaign = useCase({
  access: "campaigns:write",
  reads: true,
  onlyAnswers: true,
  input: z.strictObject({ campaignId }),
  async run(context, { campaignId: id }): Promise<CampaignCheck> {
    const { storage } = context;
    const campaign = await findCampaignOrThrow(storage, context.workspace.id, id);
    const [content, workspace, files, counts] = await Promise.all([
      findCampaignContent(context, campaign),
      findSendingWorkspace(context),
      findCampaignFiles(storage, campaign),
      storage.campaigns.counts([id]),
    ]);
    const found = createFindings();
    let first: EmailDraft | undefined;
    const checkAfter = async (position: number): Promise<number | undefined> => {
      const recipients = await storage.campaigns.recipientsAfter(id, position, chunk);
      const drafts = recipients.map(({ name, address, templateData }) =>
        draftFor(context, workspace, campaign, content, { to: { name, address }, templateData }),
      );
      await Promise.all(drafts.map((draft) => checkDraft(draft, context)));
      for (const draft of drafts) found.add(draft);
      first ??= drafts[0];
      return recipients.at(-1)?.position;
    };
    for (let at: number | undefined = 0; at !== undefined; ) {
      const position: number = at;
      at = await context.piece(() => checkAfter(position));
    }
    for (const { code, message } of campaignFileFaults(context, content.content, workspace, files))
      found.addAll({ code, message, count: campaign.recipients });
    const whole = first && (await renderWhole({ ...first, files: chosenOf(files) }, context));
    const { invalid = 0, duplicates = 0 } = counts.get(id) ?? {};
    return {
      recipients: campaign.recipients,
      ...found.tell(),
      size: whole?.sizeBytes ?? 0,
      ...{ invalid, duplicates },
      daysAtLimits: daysAtLimits(campaign.plan, campaign.recipients, workspace.limits),
      warnings: [...warningsOf(campaign, content), ...(whole?.warnings ?? [])],
    };
  },
});

/** Recipients should find the link to unsubscribe in the text, not only in their mail program. */
function warningsOf({ plan }: Campaign, { content }: CampaignContent): DraftWarning[] {
  if (plan.unsubscribeList === undefined || content.html === "" || content.html.includes(unsubscribeUrl))
    return [];
  return [
    {
      code: "unsubscribe_url_missing",
      message: `The html has no link to unsubscribe: add {{${unsubscribeUrl}}}.`,
    },
  ];
}

function createFindings() {
  const missing = new Map<string, { count: number; examples: string[] }>();
  const reasons = new Map<ErrorCode, { message: string; count: number }>();
  let suppressed = 0;
  return {
    add({ missing: names, reasons: against, recipients }: EmailDraft): void {
      for (const name of names) {
        const known = missing.get(name) ?? { count: 0, examples: [] };
        known.count += 1;
        if (known.examples.length < 5) known.examples.push(recipients[0]?.address ?? "");
        missing.set(name, known);
      }
      for (const { code, message } of against) {
        if (code === "all_recipients_suppressed") suppressed += 1;
        else if (code !== "template_data_missing")
          reasons.set(code, { message, count: (reasons.get(code)?.count ?? 0) + 1 });
      }
    },
    addAll({ code, ...of }: { code: ErrorCode; message: string; count: number }): void {
      reasons.set(code, of);
    },
    tell: () => ({
      missing: [...missing].map(([name, of]) => ({ name, ...of })),
      suppressed,
      reasons: [...reasons].map(([code, of]) => ({ code, ...of })),
    }),
  };
}
