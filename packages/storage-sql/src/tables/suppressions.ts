import { bigint, id, orNull, table, text } from "./columns.ts";

export const suppressionTables = {
  suppressions: table({
    id,
    workspace_id: bigint,
    /** `*`, or a list's slug. */
    scope: text,
    /** An address in lower case, or `@` and a domain. */
    address_key: text,
    /** The part of `address_key` after the last `@`. */
    domain_key: text,
    address: text,
    origin: text,
    reason: text,
    /** The e-mail's uuid; the e-mail may have been deleted. */
    email_id: orNull(text),
    created_by: orNull(bigint),
    created_at: bigint,
    expires_at: orNull(bigint),
    replaced: bigint,
    /** Origin of the entry that it replaced. */
    former_origin: orNull(text),
    former_expires_at: orNull(bigint),
    /** Of the entry that an unsubscription replaced, which can be undone. */
    former_reason: orNull(text),
    former_email_id: orNull(text),
    former_created_by: orNull(bigint),
    former_created_at: orNull(bigint),
  }),
};
