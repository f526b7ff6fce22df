import { createContentCache } from "../../content/content-cache.ts";
import type { Inlining } from "../../content/inlining.ts";
import type { Logger } from "../../ports/logger.ts";
import type { NewEvent } from "../../ports/storage/events.ts";
import type { JoinedRepositories, Storage } from "../../ports/storage.ts";
import { acceptSubmissions, topicsOf } from "./accept-submissions.ts";
import { batchLimit, createAcceptors } from "./acceptor.ts";
import { createAssuming } from "./create-assuming.ts";
import { createDirectLookups, createLookups } from "./lookups.ts";
import type { Sending } from "./sending-facility.ts";

/** Creates the facility for the service's own transactions: joined reads, joined commits, cached contents. */
export function createSending(
  storage: Storage,
  { inlining, logger, tell }: { inlining: Inlining; logger: Logger; tell: (events: NewEvent[]) => void },
): Sending {
  const { few, many } = createAcceptors(storage, tell);
  const sending: Sending = {
    lookups: createLookups(storage),
    contentCache: createContentCache(storage, inlining, logger),
    async accept(submission) {
      storage.assertSound?.();
      return await (submission.items.length > batchLimit ? many : few).accept(submission);
    },
  };
  const assume = createAssuming(storage, sending, { others: few, tell });
  return assume === undefined ? sending : { ...sending, assume };
}

/**
 * Creates the facility inside the host's open transaction. Nothing read there is cached: the host may roll back, and an
 * id may be reused for another row. A refused submission leaves nothing.
 */
export function createJoinedSending(
  storage: JoinedRepositories,
  { storage: own, inlining, logger }: { storage: Storage; inlining: Inlining; logger: Logger },
): Sending {
  return {
    lookups: createDirectLookups(storage),
    contentCache: createContentCache(storage, inlining, logger),
    async accept(submission) {
      own.assertSound?.();
      const [outcome] = await acceptSubmissions(storage, [submission]);
      if (outcome === undefined) throw new TypeError("a submission came to nothing");
      const topics = topicsOf([outcome]);
      if (topics.length > 0) await storage.notify(topics);
      return outcome;
    },
  };
}
