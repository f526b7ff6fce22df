import { createContentCache } from "../../content/content-cache.ts";
import type { Inlining } from "../../content/inlining.ts";
import type { Logger } from "../../ports/logger.ts";
import type { JoinedRepositories, NewEvent, Storage } from "../../ports/storage.ts";
import { acceptSubmissions, topicsOf } from "./accept-submissions.ts";
import type { Acceptance } from "./acceptance.ts";
import { batchLimit, createAcceptors } from "./acceptor.ts";
import { createAssuming } from "./create-assuming.ts";
import { createDirectLookups, createLookups } from "./lookups.ts";

/** Creates the acceptance in the service's own transactions: joined reads, joined commits, cached contents. */
export function createAcceptance(
  storage: Storage,
  { inlining, logger, tell }: { inlining: Inlining; logger: Logger; tell: (events: NewEvent[]) => void },
): Acceptance {
  const { few, many } = createAcceptors(storage, tell);
  const acceptance: Acceptance = {
    lookups: createLookups(storage),
    contentCache: createContentCache(storage, inlining, logger),
    async accept(submission) {
      storage.assertSound?.();
      return await (submission.items.length > batchLimit ? many : few).accept(submission);
    },
  };
  const assume = createAssuming(storage, acceptance, { others: few, tell });
  return assume === undefined ? acceptance : { ...acceptance, assume };
}

/**
 * Creates the acceptance inside the host's open transaction. Nothing read there is cached: the host may roll back, and an
 * id may be reused for another row. A refused submission leaves nothing.
 */
export function createJoinedAcceptance(
  storage: JoinedRepositories,
  { storage: own, inlining, logger }: { storage: Storage; inlining: Inlining; logger: Logger },
): Acceptance {
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
