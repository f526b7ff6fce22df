import type { BatchDryRun, BatchView, FieldFault, SentBatch } from "@posthorn/core";
import { emailStatuses, useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { renameLead, shapeOf, toWireFault } from "../wire-names.ts";
import { integer, named, time, timestamp, uuid } from "./schemas.ts";

type Skipped = SentBatch["skipped"][number];

const skipped = named(
  "SkippedEmail",
  z.object({
    index: integer,
    to: z.string(),
    key: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    details: z.unknown(),
  }),
);

const shape = shapeOf(useCases.emails.sendBatch.input);

/** Wire form of an item without an e-mail, with field faults in wire names. */
function skippedFrom({ index, to, key, code, message, details }: Skipped): z.input<typeof skipped> {
  const faults = Array.isArray(details) ? (details as FieldFault[]) : undefined;
  const told = faults?.map((fault) => toWireFault(shape, fault));
  return {
    index,
    to,
    key: key ?? null,
    code,
    message: inWireNames(message, faults?.[0], told?.[0]),
    details: told ?? details ?? null,
  };
}

/** Converts a message that begins with its fault within the item to wire names. */
const inWireNames = (message: string, fault?: FieldFault, told?: FieldFault): string =>
  fault && told ? renameLead(message, withinItem(fault), withinItem(told)) : message;

const withinItem = (fault: FieldFault): FieldFault => ({
  ...fault,
  path: fault.path.split(".").slice(2).join("."),
});

/** Response to a batch (platform.md P2). */
export const sentBatchWire = wire(
  named(
    "SentBatch",
    z.object({
      batch_id: uuid,
      emails: z.array(
        z.object({
          index: integer,
          id: uuid,
          to: z.string(),
          status: z.enum(emailStatuses),
          key: z.string().nullable(),
        }),
      ),
      skipped: z.array(skipped),
    }),
  ),
  ({ batchId, emails, skipped: out }: SentBatch) => ({
    batch_id: batchId,
    emails: emails.map(({ index, id, to, status, key }) => ({ index, id, to, status, key: key ?? null })),
    skipped: out.map(skippedFrom),
  }),
);

/** Delivery status of a batch. */
export const batchWire = wire(
  named(
    "Batch",
    z.object({
      id: uuid,
      created_at: timestamp,
      counts: z.object({
        total: integer,
        queued: integer,
        sending: integer,
        sent: integer,
        failed: integer,
        bounced: integer,
        suppressed: integer,
        cancelled: integer,
        skipped: integer,
      }),
    }),
  ),
  ({ id, createdAt, counts }: BatchView) => ({ id, created_at: time(createdAt), counts }),
);

/** Number of cancelled e-mails of a batch. */
export const batchCancelledWire = wire(
  named("CancelledBatch", z.object({ cancelled: integer })),
  ({ cancelled }: { cancelled: number }) => ({ cancelled }),
);

const quotaWindow = z.object({ used: integer, limit: integer });
const remark = z.object({ code: z.string(), message: z.string(), details: z.unknown() });

/** Result of a batch's dry run. */
export const batchDryRunWire = wire(
  named(
    "BatchDryRun",
    z.object({
      would_send: z.boolean(),
      reasons: z.array(remark),
      faults: z.array(skipped),
      counts: z.object({ total: integer, accepted: integer, suppressed: integer }),
      quota: z.object({ hour: quotaWindow, day: quotaWindow }),
      size_bytes: integer,
      warnings: z.array(remark),
    }),
  ),
  (tried: BatchDryRun) => ({
    would_send: tried.wouldSend,
    reasons: tried.reasons.map(({ code, message, details }) => ({ code, message, details: details ?? null })),
    faults: tried.faults.map(skippedFrom),
    counts: tried.counts,
    quota: tried.quota,
    size_bytes: tried.sizeBytes,
    warnings: tried.warnings.map(({ code, message, details }) => ({
      code,
      message,
      details: details ?? null,
    })),
  }),
);
