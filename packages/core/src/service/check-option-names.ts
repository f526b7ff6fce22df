import { type OptionNames, refuseUnknownOptions } from "../ports/refuse-unknown-options.ts";
import type { PosthornOptions } from "./options.ts";

const names: OptionNames<PosthornOptions> = {
  storage: true,
  mailer: true,
  secretKey: true,
  formerSecretKeys: true,
  workspace: true,
  baseUrl: true,
  appUrl: true,
  defaultSender: true,
  passwordMinLength: true,
  registration: true,
  webhooks: true,
  spfInclude: true,
  returnPathDomain: true,
  inboundHost: true,
  trackingHost: true,
  bounceRules: true,
  worker: true,
  eventRetentionDays: true,
  maxMessageMb: true,
  clock: true,
  logger: true,
  httpSender: true,
  dns: true,
  createKeyPair: true,
  random: true,
};
const webhookNames: OptionNames<NonNullable<PosthornOptions["webhooks"]>> = {
  maxRetries: true,
  timeoutSecs: true,
  retryBaseSecs: true,
  allowPrivate: true,
};
const workerNames: OptionNames<NonNullable<PosthornOptions["worker"]>> = {
  concurrency: true,
  leaseMs: true,
  pollMs: true,
};

/** Throws a `TypeError` that names an unknown option. */
export function checkOptionNames(options: PosthornOptions): void {
  refuseUnknownOptions(options, names);
  const { webhooks = {}, worker = {} } = options;
  refuseUnknownOptions(webhooks, webhookNames, "webhooks.");
  refuseUnknownOptions(worker, workerNames, "worker.");
}
