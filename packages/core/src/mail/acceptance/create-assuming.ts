import { type Assumptions, type NewEvent, type Storage, Unconfirmed } from "../../ports/storage.ts";
import { acceptSubmissions } from "./accept-submissions.ts";
import type { Acceptance } from "./acceptance.ts";
import { type Acceptor, announce } from "./acceptor.ts";
import { asksDomain } from "./find-sending-workspace.ts";
import { createDirectLookups, type Lookups } from "./lookups.ts";
import type { SubmissionOutcome } from "./submission.ts";

/** Creates `Acceptance.assume`; `undefined` for a storage that offers no assumptions. One send at a time is on them. */
export function createAssuming(
  storage: Storage,
  acceptance: Acceptance,
  { others, tell }: { others: Acceptor; tell: (events: NewEvent[]) => void },
): Acceptance["assume"] {
  if (storage.assume === undefined) return undefined;
  let isAssuming = false;
  return () => {
    // What arrives together shares look-ups and a commit, which costs less; and one that waits holds up no other.
    const assumptions = isAssuming || others.isBusy() ? undefined : storage.assume?.();
    if (assumptions === undefined) return undefined;
    isAssuming = true;
    void storage.emails.reserveIds(1);
    return {
      acceptance: {
        ...acceptance,
        lookups: createAssumedLookups(assumptions, acceptance.lookups),
        async accept(submission) {
          const outcomes = await assumptions.transaction((repositories) =>
            acceptSubmissions(repositories, [submission]),
          );
          void announce(storage, tell, outcomes);
          return outcomes[0] as SubmissionOutcome;
        },
      },
      end: () => {
        isAssuming = false;
      },
    };
  };
}

function createAssumedLookups({ reads }: Assumptions, { erasureKey }: Lookups): Lookups {
  const lookups = createDirectLookups(reads);
  return {
    ...lookups,
    erasureKey,
    async findSendingWorkspace(workspaceId) {
      const found = await lookups.findSendingWorkspace(workspaceId);
      // Of domains no answer is known, which is better noticed before the e-mail is rendered.
      if (found !== undefined && asksDomain(found)) throw new Unconfirmed("the sender's domain is looked up");
      return found;
    },
  };
}
