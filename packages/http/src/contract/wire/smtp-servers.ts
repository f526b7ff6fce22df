import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Core = typeof useCases;
type SmtpServer = OutputOf<Core["smtpServers"]["get"]>;
type ServerProbe = OutputOf<Core["smtpServers"]["test"]>;

/** A workspace's own mail server (platform.md P5), without its password. */
export const smtpServerWire = wire(
  named(
    "SmtpServer",
    z.object({
      id: uuid,
      name: z.string(),
      host: z.string(),
      port: integer,
      security: z.enum(["none", "starttls", "tls"]),
      username: z.string(),
      has_password: z.boolean(),
      from_domains: z.array(z.string()),
      is_default: z.boolean(),
      is_active: z.boolean(),
      priority: integer,
      max_connections: integer,
      max_per_second: z.number().nullable(),
      max_per_hour: integer.nullable(),
      return_path: z.string(),
      state: z.enum(["up", "limited", "down"]),
      down_until: timestamp.nullable(),
      last_error: z.string().nullable(),
      last_error_at: timestamp.nullable(),
      last_success_at: timestamp.nullable(),
      sent_24h: integer,
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (server: SmtpServer) => ({
    id: server.id,
    name: server.name,
    host: server.host,
    port: server.port,
    security: server.security,
    username: server.username,
    has_password: server.hasPassword,
    from_domains: server.fromDomains,
    is_default: server.isDefault,
    is_active: server.isActive,
    priority: server.priority,
    max_connections: server.maxConnections,
    max_per_second: server.maxPerSecond ?? null,
    max_per_hour: server.maxPerHour ?? null,
    return_path: server.returnPath,
    state: server.state,
    down_until: timeOrNull(server.downUntil),
    last_error: server.lastError ?? null,
    last_error_at: timeOrNull(server.lastErrorAt),
    last_success_at: timeOrNull(server.lastSuccessAt),
    sent_24h: server.sent24h,
    created_at: time(server.createdAt),
    updated_at: time(server.updatedAt),
  }),
);

const stepWire = wire(
  named(
    "SmtpServerTestStep",
    z.object({
      step: z.enum(["resolve", "connect", "greeting", "starttls", "auth", "mail_from"]),
      ms: integer,
      code: integer.optional(),
      reply: z.string().optional(),
      error: z.string().optional(),
      warning: z.string().optional(),
    }),
  ),
  ({ step, ms, code, reply, error, warning }: ServerProbe["steps"][number]) => ({
    step,
    ms,
    ...(code === undefined ? {} : { code }),
    ...(reply === undefined ? {} : { reply }),
    ...(error === undefined ? {} : { error }),
    ...(warning === undefined ? {} : { warning }),
  }),
);

/** Result of testing a mail server, with its capabilities (platform.md P5). */
export const smtpServerTestWire = wire(
  named(
    "SmtpServerTest",
    z.object({
      ok: z.boolean(),
      steps: z.array(stepWire.schema),
      tls: z
        .object({
          protocol: z.string(),
          cipher: z.string(),
          authorized: z.boolean(),
          issuer: z.string(),
          valid_to: timestamp.nullable(),
        })
        .nullable(),
      extensions: z.array(z.string()),
      max_size: integer.nullable(),
    }),
  ),
  ({ ok, steps, tls, extensions, maxSize }: ServerProbe) => ({
    ok,
    steps: steps.map(stepWire.from),
    tls:
      tls === undefined
        ? null
        : {
            protocol: tls.protocol,
            cipher: tls.cipher,
            authorized: tls.authorized,
            issuer: tls.issuer,
            valid_to: timeOrNull(tls.validTo),
          },
    extensions,
    max_size: maxSize ?? null,
  }),
);
