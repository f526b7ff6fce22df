import { isDeepStrictEqual } from "node:util";
import type { FieldChange } from "../../calls/changes-of.ts";
import type { ChosenCampaignFields } from "../../ports/storage.ts";
import { formatMailbox } from "../../rules/addresses.ts";

/**
 * Returns what a change to a campaign changes, by the API's names. Of the content, the files and the values of header
 * fields it says only that they changed (decisions §11).
 */
export function campaignChanges(
  before: ChosenCampaignFields,
  after: ChosenCampaignFields,
): Record<string, FieldChange> {
  const [was, is] = [toldOf(before), toldOf(after)];
  const told = Object.keys(is).flatMap((key) =>
    isDeepStrictEqual(was[key], is[key]) ? [] : [[key, { from: was[key], to: is[key] }] as const],
  );
  const untold = {
    content: after.template === undefined && before.contentId !== after.contentId,
    attachments: before.attachmentSetId !== after.attachmentSetId,
    headers: !isDeepStrictEqual(before.plan.headers, after.plan.headers),
  };
  const changed = Object.entries(untold).flatMap(([key, isChanged]) =>
    isChanged ? [[key, { from: "former", to: "new" }] as const] : [],
  );
  return Object.fromEntries([...told, ...changed]);
}

function toldOf({ name, template, templateVersionId, from, scheduledAt, plan }: ChosenCampaignFields) {
  const { replyTo, tags, metadata, unsubscribeList, tracking, pace, ramp, onMissing, autoPause } = plan;
  const told: Record<string, unknown> = {
    name,
    template: template ?? null,
    template_version_id: templateVersionId ?? null,
    from: from === undefined ? null : formatMailbox(from),
    reply_to: replyTo.map(formatMailbox),
    tags,
    metadata,
    unsubscribe: unsubscribeList === undefined ? false : { list: unsubscribeList },
    tracking: { opens: tracking?.opens ?? null, clicks: tracking?.clicks ?? null },
    scheduled_at: scheduledAt === undefined ? null : new Date(scheduledAt).toISOString(),
    pace: { per_second: pace.perSecond ?? null, per_hour: pace.perHour ?? null },
    ramp: ramp ?? null,
    on_missing: onMissing,
    auto_pause: {
      bounce_rate: autoPause.bounceRate,
      complaint_rate: autoPause.complaintRate,
      after: autoPause.after,
    },
  };
  return told;
}
