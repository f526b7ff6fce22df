import type { Email, EmailStatus } from "@posthorn/core/storage";
import type { SelectQueryBuilder } from "kysely";
import type { Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import type { Database, Row } from "../../../tables.ts";
import { toEmail } from "./rows.ts";

/** An e-mail's row with what determines its status. */
export interface StatusRow extends Row<"emails"> {
  status: string | null;
  settled_at: number | null;
  claim_id: number | null;
}

/** A settled e-mail's status is its outcome; otherwise it follows from its claim and its due time. */
export function viewRow(row: StatusRow, now: number): Email {
  return toEmail(row, { status: statusAt(row, now), settledAt: row.settled_at ?? undefined });
}

function statusAt(row: StatusRow, now: number): EmailStatus {
  if (row.status !== null) return row.status as EmailStatus;
  if (row.claim_id !== null) return "sending";
  return row.scheduled_at !== null && row.scheduled_at > now ? "scheduled" : "queued";
}

export type Joined<O = object> = SelectQueryBuilder<
  Database & {
    e: Database["emails"];
    o: { [K in keyof Database["email_outcomes"]]: Database["email_outcomes"][K] | null };
    i: { [K in keyof Database["claim_items"]]: Database["claim_items"][K] | null };
  },
  "e" | "o" | "i",
  O
>;

/** E-mails joined with their outcome and claim. */
export const withStatus = (db: Handle): Joined =>
  db
    .selectFrom("emails as e")
    .leftJoin("email_outcomes as o", "o.email_id", "e.id")
    .leftJoin("claim_items as i", "i.email_id", "e.id");

/** Finds an e-mail by its public id. */
export const findByUuid = prepared((db, { id }: { id: string }) =>
  withStatus(db).selectAll("e").select(["o.status", "o.settled_at", "i.claim_id"]).where("e.uuid", "=", id),
);
