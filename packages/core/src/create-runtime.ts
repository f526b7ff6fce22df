import { createHttpSender } from "./adapters/http-sender.ts";
import { createInliner } from "./adapters/inlining/create-inliner.ts";
import { createJwtSigner } from "./adapters/jwt.ts";
import { createPasswordHasher } from "./adapters/password-hasher.ts";
import { createAfterwards } from "./afterwards.ts";
import { configure } from "./configure.ts";
import { createCounters } from "./counters.ts";
import { createSecretBox } from "./domain/secret-box.ts";
import { createUuidSource } from "./domain/uuid.ts";
import type { PosthornOptions } from "./options.ts";
import type { NewEvent } from "./outbox.ts";
import { systemClock } from "./ports/clock.ts";
import { silentLogger } from "./ports/logger.ts";
import { createQueueClock } from "./queue-clock.ts";
import type { Runtime } from "./runtime.ts";
import { createSending } from "./sending/sending.ts";

/** Puts a service together from its options; slow libraries are loaded when first used. */
export function createRuntime(options: PosthornOptions, tell: (events: NewEvent[]) => void): Runtime {
  const config = configure(options);
  const { storage, mailer, logger = silentLogger, clock = systemClock } = options;
  const secrets = createSecretBox(options.secretKey);
  const createUuid = createUuidSource();
  const inlining = createInliner({ logger });
  return {
    config,
    storage,
    mailer,
    logger,
    now: () => clock.now(),
    queueClock: createQueueClock(storage, clock),
    random: options.random ?? Math.random,
    newId: () => createUuid(clock.now()),
    secrets,
    passwords: createPasswordHasher(),
    tokens: createJwtSigner(secrets.jwtKey, { issuer: config.baseUrl, audience: config.baseUrl }),
    inlining,
    httpSender: options.httpSender ?? createHttpSender(),
    sending: createSending(storage, { inlining, logger, tell }),
    counters: createCounters(),
    afterwards: createAfterwards(logger),
    tell,
  };
}
