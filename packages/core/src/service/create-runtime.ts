import { createBackgroundWork } from "../calls/background-work.ts";
import { execute } from "../calls/execute.ts";
import { createLongWork } from "../calls/long-work.ts";
import { createSharedCalls } from "../calls/shared-calls.ts";
import { createInliner, type LendInlineThread } from "../content/inlining/create-inliner.ts";
import { createKeyPair } from "../domains/adapters/create-key-pair.ts";
import { createJwtSigner } from "../identity/adapters/jwt.ts";
import { createPasswordHasher, type PasswordCost } from "../identity/adapters/password-hasher.ts";
import { createPasswordTurns } from "../identity/users/password-turns.ts";
import { createReportTokens } from "../inbound/rules/report-token.ts";
import { createSnsCertificates } from "../inbound/sns-certificates.ts";
import { createAcceptance } from "../mail/acceptance/create-acceptance.ts";
import { createUploadLimits } from "../mail/attachments/upload-limits.ts";
import { createDns } from "../network/create-dns.ts";
import { createHostResolver } from "../network/create-host-resolver.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import { type Logger, silentLogger, unfailingLogger } from "../ports/logger.ts";
import { sparingLogger } from "../ports/sparing-logger.ts";
import type { NewEvent } from "../ports/storage.ts";
import { createQueueClock } from "../queue/queue-clock.ts";
import { isPublicAddress } from "../rules/public-address.ts";
import { createSecretBox } from "../rules/secret-box.ts";
import { createUuidSource } from "../rules/uuid.ts";
import { createHitCollector } from "../tracking/hits/create-hit-collector.ts";
import { recordHits } from "../tracking/hits/record-hits.ts";
import { createTrackingTokens } from "../tracking/rules/tracking-token.ts";
import { createHttpSender } from "../webhooks/adapters/http-sender.ts";
import { createBoundedSender } from "../webhooks/delivery/bounded-sender.ts";
import { configure } from "./configure.ts";
import { createCounters } from "./counters.ts";
import { createOnlyWorkspace } from "./only-workspace.ts";
import type { Config, PosthornOptions } from "./options.ts";
import type { Runtime } from "./runtime.ts";

/** What tests replace in a service, besides its options. */
export interface RuntimeChanges {
  /** Cost of password hashes. Default: OWASP's recommendation. */
  passwordCost?: PasswordCost;
  /** Reuses inlining threads. Default: each service opens its own. */
  lendInlineThread?: LendInlineThread;
  /** A logger whose errors fail the call. Default: the options', whose errors fail nothing. */
  strictLogger?: Logger | undefined;
}

/** What a runtime needs besides the options. */
export interface RuntimeParts {
  /** Tells this process of events, once they are committed. */
  tell: (events: NewEvent[]) => void;
  /** The options' only workspace, as `readOnlyWorkspace` returns it. Default: each call names its workspace. */
  workspace?: Config["workspace"];
  changes?: RuntimeChanges | undefined;
}

/**
 * Creates a service's runtime from its options. Slow libraries are loaded when first used, and what validates input
 * isn't loaded at all: whoever only delivers can do without (`createDelivery`).
 */
export function createRuntime(
  options: PosthornOptions,
  { tell, workspace, changes: { passwordCost, lendInlineThread, strictLogger } = {} }: RuntimeParts,
): Runtime {
  const config: Config = { ...configure(options), workspace };
  const { storage, mailer, clock = systemClock } = options;
  const monotonic = (): number => clock.monotonic?.() ?? performance.now();
  const logger = strictLogger ?? sparingLogger(unfailingLogger(options.logger ?? silentLogger), monotonic);
  const secrets = createSecretBox(options.secretKey);
  const formerSecrets = (options.formerSecretKeys ?? []).map(createSecretBox);
  const times = createTimes(storage, clock, logger);
  const inlining = createInliner({ logger, ...(lendInlineThread && { lend: lendInlineThread }) });
  const onlyWorkspace =
    workspace &&
    createOnlyWorkspace(storage, workspace, async (given, transaction) => {
      const { ensureWorkspace } = await import("../workspaces/ensure-workspace.ts");
      return await execute(runtime, ensureWorkspace, given, {
        caller: { kind: "operator", name: "host" },
        client: { ip: "", userAgent: "" },
        workspaceId: undefined,
        transaction,
      });
    });
  const runtime: Runtime = {
    config,
    onlyWorkspace,
    storage,
    mailer,
    logger,
    ...times,
    random: options.random ?? Math.random,
    secrets,
    formerSecrets,
    reportTokens: createReportTokens(
      secrets.reportKey,
      formerSecrets.map(({ reportKey }) => reportKey),
    ),
    trackingTokens: createTrackingTokens(
      secrets.trackingKey,
      formerSecrets.map(({ trackingKey }) => trackingKey),
    ),
    passwords: createPasswordHasher(passwordCost && { cost: passwordCost }),
    passwordTurns: createPasswordTurns(),
    tokens: createJwtSigner(secrets.jwtKey),
    inlining,
    dns:
      options.dns ??
      createDns({
        hosts: createHostResolver(),
        isAllowed: config.webhooks.allowPrivate ? () => true : isPublicAddress,
      }),
    createKeyPair: options.createKeyPair ?? createKeyPair,
    httpSender: options.httpSender ? createBoundedSender(options.httpSender) : createHttpSender(),
    snsCertificates: createSnsCertificates(),
    acceptance: createAcceptance(storage, { inlining, logger, tell }),
    uploadLimits: createUploadLimits(),
    counters: createCounters(),
    backgroundWork: createBackgroundWork(logger),
    hits: createHitCollector({
      now: times.queueClock.now,
      monotonic: times.queueClock.monotonic,
      logger,
      write: (hits, piece) => recordHits(runtime, hits, piece),
      workspacesOf: (rows) => storage.tracking.workspacesOf(rows),
    }),
    sharedCalls: createSharedCalls(),
    longWork: createLongWork(),
    shortWork: createLongWork(),
    tell,
  };
  return runtime;
}

/** Creates the clocks. Machines that share a database go by its clock alone: their hours would be as many quotas. */
function createTimes(
  storage: PosthornOptions["storage"],
  clock: Clock,
  logger: Logger,
): Pick<Runtime, "now" | "queueClock" | "newId"> {
  const queueClock = createQueueClock(storage, clock, logger);
  const now = storage.isRemote ? queueClock.now : () => clock.now();
  const createUuid = createUuidSource();
  return { now, queueClock, newId: () => createUuid(now()) };
}
