import type { PosthornOptions } from "./options.ts";

type Names<T> = Record<keyof T, true>;

const names: Names<PosthornOptions> = {
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
const webhookNames: Names<NonNullable<PosthornOptions["webhooks"]>> = {
  maxRetries: true,
  timeoutSecs: true,
  retryBaseSecs: true,
  allowPrivate: true,
};
const workerNames: Names<NonNullable<PosthornOptions["worker"]>> = {
  concurrency: true,
  leaseMs: true,
  pollMs: true,
};

/** Throws a `TypeError` that names an unknown option, for hosts without types: its default would be in force instead. */
export function refuseUnknownOptions(options: PosthornOptions): void {
  refuse(options, names, "");
  refuse(options.webhooks ?? {}, webhookNames, "webhooks.");
  refuse(options.worker ?? {}, workerNames, "worker.");
}

function refuse(given: object, known: object, prefix: string): void {
  const name = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (name === undefined) return;
  const there = Object.keys(known).map((key) => prefix + key);
  throw new TypeError(`there is no option ${prefix}${name}; the options are ${there.join(", ")}`);
}
