import { bigint, flag, orNull, table, text, withDefault } from "./columns.ts";

export const trackingTables = {
  /** Opens and clicks, added up. */
  email_hits: table(
    {
      email_id: bigint,
      /** 255: several recipients share the message. */
      position: bigint,
      kind: text,
      count: bigint,
      human_count: bigint,
      first_at: bigint,
      first_human_at: orNull(bigint),
      last_agent_class: text,
      last_machine_reason: orNull(text),
      /** The network of the client, or its address. */
      last_address: orNull(text),
      last_agent: orNull(text),
      /** Whether its event was emitted. */
      is_announced: withDefault(flag),
      /** The piece that added to it last. */
      last_piece: bigint,
    },
    ["email_id", "position", "kind"],
  ),
};
