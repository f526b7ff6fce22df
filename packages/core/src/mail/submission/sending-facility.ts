import type { Compositions } from "../../content/compositions.ts";
import type { Lookups } from "./lookups.ts";
import type { Submission, SubmissionOutcome } from "./submission.ts";

/** What accepting e-mails takes. */
export interface Sending {
  lookups: Lookups;
  compositions: Compositions;
  /** Resolves once the submission is on disk, or refused. */
  accept(submission: Submission): Promise<SubmissionOutcome>;
  /** Between pieces of long work: lets others have the thread. Inside a host's transaction nobody else may come in between. */
  pause(): Promise<void> | undefined;
}
