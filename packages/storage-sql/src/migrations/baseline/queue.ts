import type { Migration } from "../migration.ts";

/** The queue of e-mails, workers' claims, parked routes, and workers. */
export const queue: Migration = ({ table, id, lastingId, bigint, bytewise, clustered, churned }) => [
  // One row per waiting e-mail: one insert, one delete, no update. Routes are in the order of their bytes, in which those
  // of a workspace are ranges of the index.
  `create table ${table("email_queue")} (
    email_id ${bigint} primary key,
    route ${bytewise} not null,
    lane ${bigint} not null,
    due_at ${bigint} not null,
    queued_at ${bigint} not null,
    attempts ${bigint} not null default 0,
    bytes ${bigint} not null
  ) ${churned}`,
  `create index email_queue_order on ${table("email_queue")} (route, lane, due_at, email_id)`,
  // One row per claimed batch. Its id is the fencing token: it is never reused.
  `create table ${table("claims")} (
    id ${lastingId},
    worker text not null,
    claimed_at ${bigint} not null,
    renewed_at ${bigint} not null,
    until ${bigint} not null,
    items ${bigint} not null
  ) ${churned}`,
  `create table ${table("claim_items")} (
    email_id ${bigint} primary key,
    claim_id ${bigint} not null,
    route ${bytewise} not null,
    lane ${bigint} not null,
    due_at ${bigint} not null,
    queued_at ${bigint} not null,
    attempts ${bigint} not null,
    bytes ${bigint} not null
  ) ${churned}`,
  // Only held routes have rows, however many e-mails wait: sending never has to write one. Each owner's hold is a row, as none
  // may lift another's.
  `create table ${table("parked_routes")} (
    route ${bytewise} not null,
    owner ${bytewise} not null,
    parked_at ${bigint} not null,
    parked_until ${bigint},
    reason text not null,
    primary key (route, owner)
  ) ${clustered}`,
  `create table ${table("workers")} (
    worker text not null primary key,
    seen_at ${bigint} not null
  ) ${clustered}`,
  // Jobs that one process at a time does.
  `create table ${table("jobs")} (
    name text not null primary key,
    worker text not null,
    until ${bigint} not null
  ) ${clustered}`,
  // Contents and stylesheet sets that lost a reference: pruning checks whether others are left. Several rows may name one: a
  // unique key would wait for an open transaction, such as a host's, in which the same lost another reference.
  `create table ${table("loose_contents")} (
    id ${id},
    kind text not null,
    row_id ${bigint} not null
  )`,
];
