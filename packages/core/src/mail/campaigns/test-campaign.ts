import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { templateDataField } from "../../content/template-data-field.ts";
import { findSendingWorkspace } from "../acceptance/find-sending-workspace.ts";
import { checkDraft } from "../submission/checks.ts";
import { mailbox } from "../submission/send-fields.ts";
import { pinRefusals } from "../submission/send-refusals.ts";
import { type SentEmail, submitEmail } from "../submission/submit-email.ts";
import { draftFor, findCampaignContent } from "./campaign-draft.ts";
import { campaignId } from "./campaign-fields.ts";
import { campaignFileFaults, chosenOf, findCampaignFiles } from "./campaign-files.ts";
import { findCampaignOrThrow } from "./campaign-view.ts";

/**
 * Sends a campaign's content with its files to one address, marked as a test and counted against the quota (platform.md
 * P9).
 */
export const testCampaign = useCase({
  access: "campaigns:write",
  refusals: [...pinRefusals, "all_recipients_suppressed", "rate_limited", "template_render_failed"],
  reads: true,
  input: z.strictObject({
    campaignId,
    to: mailbox.describe("The test's recipient, `a@b.example` or `Name <a@b.example>`."),
    templateData: templateDataField
      .optional()
      .describe(
        "Values for the placeholders, at most 256 KiB as JSON. Default: those of the first recipient.",
      ),
  }),
  async run(context, { campaignId: id, to, templateData }): Promise<SentEmail> {
    const { storage } = context;
    const campaign = await findCampaignOrThrow(storage, context.workspace.id, id);
    const [content, workspace, files, [first]] = await Promise.all([
      findCampaignContent(context, campaign),
      findSendingWorkspace(context),
      findCampaignFiles(storage, campaign),
      storage.campaigns.recipientsAfter(id, 0, { limit: 1, maxBytes: 0 }),
    ]);
    const values = templateData ?? first?.templateData ?? {};
    const draft = draftFor(context, workspace, campaign, content, { to, templateData: values, isTest: true });
    await checkDraft(draft, context);
    draft.files = chosenOf(files);
    draft.reasons.push(...campaignFileFaults(context, content.content, workspace, files));
    return submitEmail(context, draft, {});
  },
});
