import type { OutputOf } from "@posthorn/core";
import { domainProblems, type useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Domain = OutputOf<(typeof useCases)["domains"]["get"]>;

const record = named(
  "DomainRecord",
  z.object({
    purpose: z.enum(["ownership", "dkim", "return_path", "tracking", "spf", "dmarc"]),
    required: z.boolean(),
    type: z.enum(["TXT", "MX", "CNAME"]),
    name: z.string(),
    host: z.string(),
    value: z.string(),
    ttl: integer,
    priority: integer.nullable(),
    status: z.enum(["unchecked", "ok", "missing", "wrong", "ambiguous", "unreachable", "keep", "removable"]),
    found: z.array(z.string()),
    problem: z.enum(domainProblems).nullable(),
    hint: z.string(),
  }),
);

const key = named(
  "DkimKey",
  z.object({
    selector: z.string(),
    algorithm: z.enum(["rsa-2048", "ed25519"]),
    state: z.enum(["standby", "active", "retired"]),
    signs: z.boolean(),
    created_at: timestamp,
    activated_at: timestamp.nullable(),
    retired_at: timestamp.nullable(),
  }),
);

/** A sending domain (platform.md P6), without private keys. */
export const domainWire = wire(
  named(
    "Domain",
    z.object({
      id: uuid,
      name: z.string(),
      status: z.enum(["pending", "verified", "warning", "failed"]),
      status_reason: z.string(),
      records: z.array(record),
      dkim: z.array(key),
      include_subdomains: z.boolean(),
      return_path: z.string(),
      return_path_verified: z.boolean(),
      tracking: z.string().nullable(),
      tracking_verified: z.boolean(),
      tls: z.enum(["opportunistic", "required"]),
      verified_at: timestamp.nullable(),
      checked_at: timestamp.nullable(),
      next_check_at: timestamp.nullable(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (domain: Domain) => ({
    id: domain.id,
    name: domain.name,
    status: domain.status,
    status_reason: domain.statusReason,
    records: domain.records.map((one) => ({
      ...one,
      priority: one.priority ?? null,
      problem: one.problem ?? null,
    })),
    dkim: domain.dkim.map((one) => ({
      selector: one.selector,
      algorithm: one.algorithm,
      state: one.state,
      signs: one.signs,
      created_at: time(one.createdAt),
      activated_at: timeOrNull(one.activatedAt),
      retired_at: timeOrNull(one.retiredAt),
    })),
    include_subdomains: domain.includeSubdomains,
    return_path: domain.returnPath,
    return_path_verified: domain.returnPathVerified,
    tracking: domain.tracking ?? null,
    tracking_verified: domain.trackingVerified,
    tls: domain.tls,
    verified_at: timeOrNull(domain.verifiedAt),
    checked_at: timeOrNull(domain.checkedAt),
    next_check_at: timeOrNull(domain.nextCheckAt),
    created_at: time(domain.createdAt),
    updated_at: time(domain.updatedAt),
  }),
);
