import type { Migration } from "../migration.ts";

/** Opens and clicks. Like other rows that follow delivery, they have no foreign key: `emails/remove.ts` removes them. */
export const tracking: Migration = ({ table, bigint, bytewise, boolean, no, clustered }) => [
  `create table ${table("email_hits")} (
    email_id ${bigint} not null,
    position ${bigint} not null,
    kind ${bytewise} not null,
    count ${bigint} not null,
    human_count ${bigint} not null,
    first_at ${bigint} not null,
    first_human_at ${bigint},
    last_agent_class text not null,
    last_machine_reason text,
    last_address text,
    last_agent text,
    is_announced ${boolean} not null default ${no},
    last_piece ${bigint} not null,
    primary key (email_id, position, kind)
  ) ${clustered}`,
];
