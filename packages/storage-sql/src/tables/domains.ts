import { bigint, flag, id, orNull, table, text } from "./columns.ts";

export const domainTables = {
  domains: table({
    id,
    uuid: text,
    workspace_id: bigint,
    name: text,
    organisation: text,
    token: text,
    status: text,
    status_since: bigint,
    status_reason: text,
    include_subdomains: flag,
    return_path: text,
    /** The full name: the label in front, and the domain's own name. */
    return_path_domain: text,
    return_path_verified: flag,
    tracking: orNull(text),
    /** The full name, as above. */
    tracking_domain: orNull(text),
    tracking_verified: flag,
    tls: text,
    /** JSON of the last check's findings. */
    records: text,
    verified_at: orNull(bigint),
    checked_at: orNull(bigint),
    next_check_at: orNull(bigint),
    rotation_told_at: orNull(bigint),
    created_at: bigint,
    updated_at: bigint,
  }),

  domain_keys: table({
    id,
    domain_id: bigint,
    selector: text,
    algorithm: text,
    /** Sealed; empty once retired. */
    private_key: text,
    public_key: text,
    state: text,
    is_published: flag,
    created_at: bigint,
    activated_at: orNull(bigint),
    retired_at: orNull(bigint),
  }),
};
