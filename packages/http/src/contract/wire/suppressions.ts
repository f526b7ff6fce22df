import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type Suppression = OutputOf<Core["suppressions"]["get"]>;
type Import = OutputOf<Core["suppressions"]["import"]>;
type Check = OutputOf<Core["suppressions"]["check"]>[number];

const origin = z.enum(["manual", "bounce", "complaint", "unsubscribe", "import"]);

/** `Suppression` (platform.md P8). */
export const suppressionWire = wire(
  named(
    "Suppression",
    z.object({
      email: z.string(),
      scope: z.string(),
      origin,
      reason: z.string(),
      email_id: uuid.nullable(),
      created_by: integer.nullable(),
      created_at: timestamp,
      expires_at: timestamp.nullable(),
    }),
  ),
  (suppression: Suppression) => ({
    email: suppression.email,
    scope: suppression.scope,
    origin: suppression.origin,
    reason: suppression.reason,
    email_id: suppression.emailId ?? null,
    created_by: suppression.createdBy ?? null,
    created_at: time(suppression.createdAt),
    expires_at: timeOrNull(suppression.expiresAt),
  }),
);

/** Result of checking an address for suppressions (platform.md P8). */
export const suppressionCheckWire = wire(
  named(
    "SuppressionCheck",
    z.object({
      email: z.string(),
      suppressed: z.boolean(),
      origin: origin.nullable(),
      since: timestamp.nullable(),
    }),
  ),
  (check: Check) => ({
    email: check.email,
    suppressed: check.suppressed,
    origin: check.origin ?? null,
    since: timeOrNull(check.since),
  }),
);

/** Result of an import (platform.md P8). */
export const suppressionImportWire = wire(
  named(
    "SuppressionImport",
    z.object({
      added: integer,
      updated: integer,
      unchanged: integer,
      rejected: z.array(z.object({ line: integer, value: z.string(), message: z.string() })),
      rejected_total: integer,
      last_line: integer,
    }),
  ),
  ({ added, updated, unchanged, rejected, rejectedTotal, lastLine }: Import) => ({
    added,
    updated,
    unchanged,
    rejected,
    rejected_total: rejectedTotal,
    last_line: lastLine,
  }),
);
