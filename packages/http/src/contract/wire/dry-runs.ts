import type { DryRun } from "@posthorn/core";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, uuid } from "./schemas.ts";

const quotaWindow = z.object({ used: integer, limit: integer });
const remark = z.object({ code: z.string(), message: z.string(), details: z.unknown() });

/** Result of a send's dry run (platform.md P1). */
export const dryRunWire = wire(
  named(
    "DryRun",
    z.object({
      would_send: z.boolean(),
      reasons: z.array(remark),
      recipients: z.array(
        z.object({ kind: z.enum(["to", "cc", "bcc"]), address: z.string(), suppressed: z.boolean() }),
      ),
      quota: z.object({ hour: quotaWindow, day: quotaWindow }),
      server: z.object({ smtp_server_id: uuid.nullable(), name: z.string().nullable() }).nullable(),
      domain: z
        .object({
          name: z.string(),
          status: z.enum(["pending", "verified", "warning", "failed"]).nullable(),
          dkim: z.boolean(),
        })
        .nullable(),
      template_version_id: uuid.nullable(),
      subject: z.string(),
      missing: z.array(z.string()),
      unused: z.array(z.string()),
      size_bytes: integer,
      warnings: z.array(remark),
    }),
  ),
  (tried: DryRun) => ({
    would_send: tried.wouldSend,
    reasons: tried.reasons.map(({ code, message, details }) => ({ code, message, details: details ?? null })),
    recipients: tried.recipients.map(({ kind, address, suppressed }) => ({ kind, address, suppressed })),
    quota: {
      hour: { used: tried.quota.hour.used, limit: tried.quota.hour.limit },
      day: { used: tried.quota.day.used, limit: tried.quota.day.limit },
    },
    server: tried.server
      ? { smtp_server_id: tried.server.smtpServerId ?? null, name: tried.server.name ?? null }
      : null,
    domain: tried.domain
      ? { name: tried.domain.name, status: tried.domain.status ?? null, dkim: tried.domain.dkim }
      : null,
    template_version_id: tried.templateVersionId ?? null,
    subject: tried.subject,
    missing: tried.missing,
    unused: tried.unused,
    size_bytes: tried.sizeBytes,
    warnings: tried.warnings.map(({ code, message, details }) => ({
      code,
      message,
      details: details ?? null,
    })),
  }),
);
