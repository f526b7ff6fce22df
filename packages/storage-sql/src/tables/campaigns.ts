import { bigint, id, orNull, table, text, withDefault } from "./columns.ts";

export const campaignTables = {
  campaigns: table({
    id,
    workspace_id: bigint,
    name: text,
    /** The name in lower case, for searching. */
    name_key: text,
    status: text,
    paused_reason: orNull(text),
    template: orNull(text),
    template_version_id: orNull(text),
    content_id: orNull(bigint),
    stylesheet_set_id: orNull(bigint),
    attachment_set_id: orNull(bigint),
    /** JSON of a mailbox. */
    from_mailbox: orNull(text),
    /** JSON of `CampaignPlan`. */
    plan: text,
    recipients: withDefault(bigint),
    cursor_position: withDefault(bigint),
    scheduled_at: orNull(bigint),
    started_at: orNull(bigint),
    completed_at: orNull(bigint),
    created_by: orNull(bigint),
    created_at: bigint,
    updated_at: bigint,
    /** When a feeder is to process it; `null` for never. */
    look_at: orNull(bigint),
    /** Position up to which retention has removed the contents, and the time when that was complete. */
    forgotten_position: withDefault(bigint),
    forgotten_at: withDefault(orNull(bigint)),
    next_slot_at: withDefault(bigint),
    paused_ms: withDefault(bigint),
    /** JSON of the counts when its owner let it continue. */
    judged_from: orNull(text),
    feeder_worker: orNull(text),
    feeder_until: withDefault(bigint),
    feeder_fence: withDefault(bigint),
  }),

  campaign_recipients: table(
    {
      campaign_id: bigint,
      position: bigint,
      name: text,
      address: text,
      address_key: text,
      /** JSON. */
      template_data: text,
      state: text,
      reason: withDefault(text),
      email_id: orNull(text),
    },
    ["campaign_id", "position"],
  ),

  campaign_counts: table(
    {
      campaign_id: bigint,
      counter: text,
      shard: bigint,
      total: bigint,
    },
    ["campaign_id", "counter", "shard"],
  ),
};
