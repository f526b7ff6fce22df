import {
  checkOptions,
  clockCheck,
  functionCheck,
  hasMethods,
  loggerCheck,
  type OptionChecks,
} from "../ports/check-options.ts";
import { type OptionNames, refuseUnknownOptions } from "../ports/refuse-unknown-options.ts";
import type { PosthornOptions } from "./options.ts";

/** Others are checked where their defaults are filled in. */
const checks: OptionChecks<PosthornOptions> = {
  storage: true,
  mailer: true,
  secretKey: true,
  formerSecretKeys: [
    "an array of texts",
    (value) => Array.isArray(value) && value.every((key) => typeof key === "string"),
  ],
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
  clock: clockCheck,
  logger: loggerCheck,
  httpSender: hasMethods("an object with the methods post and close", "post", "close"),
  dns: hasMethods("an object with the method inquire", "inquire"),
  createKeyPair: functionCheck,
  random: functionCheck,
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

/** Throws a `TypeError` that names an unknown option, or one that lacks what the service calls. */
export function checkGivenOptions(options: PosthornOptions): void {
  checkOptions("createPosthorn", options, checks);
  const { webhooks = {}, worker = {} } = options;
  refuseUnknownOptions(webhooks, webhookNames, "webhooks.");
  refuseUnknownOptions(worker, workerNames, "worker.");
}
