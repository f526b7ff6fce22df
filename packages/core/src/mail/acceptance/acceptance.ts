import type { ContentCache } from "../../content/content-cache.ts";
import type { Lookups } from "./lookups.ts";
import type { Submission, SubmissionOutcome } from "./submission.ts";

/** What a send is looked up by, rendered with and accepted by: see ARCHITECTURE.md, Accepting an e-mail. */
export interface Acceptance {
  lookups: Lookups;
  contentCache: ContentCache;
  /** Resolves once the submission is on disk or refused. */
  accept(submission: Submission): Promise<SubmissionOutcome>;
  /**
   * Begins to send on assumptions; `undefined` if the storage offers none, or other sends are under way. Nothing may be
   * written before the submission.
   */
  assume?: () => { acceptance: Acceptance; end(): void } | undefined;
}
