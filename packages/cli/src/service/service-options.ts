import type { Logger, Mailer, PosthornOptions, Storage } from "@posthorn/core";
import { silentLogger } from "@posthorn/core/internal";
import type { SettingValues } from "../program/settings/settings.ts";
import { defined } from "../program/verbs/defined.ts";
import { readBounceRules } from "./read-bounce-rules.ts";
import { hostInUrl } from "./server/cannot-listen.ts";

/** What a service is made of. */
export interface ServiceParts {
  storage: Storage;
  mailer: Mailer;
  secretKey: string;
}

/** The server's own URL, also for a worker or a command beside it; `undefined` if it takes a free port. */
const ownUrl = ({ host, port }: SettingValues): string | undefined =>
  port === 0 ? undefined : `http://${hostInUrl(host)}:${port}`;

/** Characters of the shortest secret key. */
const minKeyLength = 32;

/**
 * Returns the former secret keys, separated by spaces or line breaks. Where a part of a line is too short for a key, the
 * whole line is one that has spaces in it.
 */
export const formerSecretKeys = ({ former_secret_keys = "" }: FormerKeys): string[] =>
  former_secret_keys.split(/[\r\n]+/).flatMap((line) => {
    const parts = line.split(/\s+/).filter((key) => key !== "");
    return parts.every(({ length }) => length >= minKeyLength) ? parts : [line.trim()];
  });

type FormerKeys = Pick<SettingValues, "former_secret_keys">;

/** Returns a service's options by the settings. Throws a usage error for a file that can't be read. */
export function serviceOptions(
  values: SettingValues,
  {
    storage,
    mailer,
    secretKey,
    logger,
    baseUrl,
  }: ServiceParts & { logger?: Logger | undefined; baseUrl?: string | undefined },
): PosthornOptions {
  return {
    storage,
    mailer,
    secretKey,
    logger: logger ?? silentLogger,
    formerSecretKeys: formerSecretKeys(values),
    ...defined({
      baseUrl: values.base_url ?? baseUrl ?? ownUrl(values),
      appUrl: values.app_url,
      defaultSender: values.default_sender,
      spfInclude: values.spf_include,
      returnPathDomain: values.return_path_domain,
      workspace: values.single_workspace === undefined ? undefined : { name: values.single_workspace },
      inboundHost: values.inbound_host,
      trackingHost: values.tracking_host,
    }),
    bounceRules: readBounceRules(values),
    registration: values.registration,
    maxMessageMb: values.max_message_mb,
    eventRetentionDays: values.event_retention_days,
    passwordMinLength: values.password_min_length,
    webhooks: {
      maxRetries: values.webhook_max_retries,
      timeoutSecs: values.webhook_timeout_secs,
      retryBaseSecs: values.webhook_retry_base_secs,
      allowPrivate: values.webhook_allow_private,
    },
    worker: {
      ...defined({ concurrency: values.worker_concurrency }),
      leaseMs: values.worker_lease_secs * 1_000,
      pollMs: Math.min(5_000, values.worker_lease_secs * 500),
    },
  };
}
