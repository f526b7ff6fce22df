import type { ContentCache } from "../../content/content-cache.ts";
import type { Lookups } from "./lookups.ts";
import type { Submission, SubmissionOutcome } from "./submission.ts";

/** Functions for accepting e-mails. */
export interface Sending {
  lookups: Lookups;
  contentCache: ContentCache;
  /** Resolves once the submission is on disk or refused. */
  accept(submission: Submission): Promise<SubmissionOutcome>;
  /**
   * Begins to send on assumptions; `undefined` if the storage offers none, or other sends are under way. Nothing may be
   * written before the submission.
   */
  assume?: () => { sending: Sending; end(): void } | undefined;
}
