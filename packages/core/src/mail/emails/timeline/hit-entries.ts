import type { HitKind, MachineReason, RecipientHits } from "../../../ports/storage.ts";
import { withoutUndefined } from "./acceptance-entries.ts";
import type { TimelineSources } from "./read-sources.ts";
import type { NewEntry } from "./timeline-entry.ts";

const did: Record<HitKind, { type: "opened" | "clicked"; person: string; program: string }> = {
  open: { type: "opened", person: "opened it", program: "The image that records openings was loaded" },
  click: { type: "clicked", person: "followed a link", program: "Links were followed" },
};

const reasons: Record<MachineReason, string> = {
  prefetch_header: "the request said that it fetches ahead",
  known_agent: "a program that named itself",
  image_proxy_prefetch: "a mail program's provider loads images ahead",
  too_soon: "less than 3 seconds after delivery",
  burst: "several links within 2 seconds",
  trap: "the hidden link was followed",
};

/** Returns entries about openings and clicks: the first of a person, else the first of a program. */
export const hitEntries = ({ history, recipients }: TimelineSources): NewEntry[] =>
  history.hits.map((hits) => {
    const { position, kind, firstAt, firstHumanAt, count, humanCount, agentClass } = hits;
    const recipient = position === undefined ? undefined : recipients[position]?.address;
    const { type, person, program } = did[kind];
    const read = firstHumanAt !== undefined;
    const message = read
      ? `${recipient ?? "A recipient"} ${person}; ${times(humanCount)} so far${others(hits)}.`
      : `${program}${recipient === undefined ? "" : ` for ${recipient}`} ${times(count)}, by no person as far as known: ${why(hits)}.`;
    return {
      at: firstHumanAt ?? firstAt,
      type: read ? type : "machine",
      message,
      recipient,
      details: withoutUndefined({
        kind,
        count,
        human_count: humanCount,
        agent_class: agentClass,
        machine_reason: hits.machineReason,
        address: hits.address,
        user_agent: hits.agent,
      }),
    };
  });

function others(hits: RecipientHits): string {
  const rest = hits.count - hits.humanCount;
  return rest === 0 ? "" : `, and ${times(rest)} by no person as far as known (${why(hits)})`;
}

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

const why = ({ machineReason }: RecipientHits): string =>
  machineReason === undefined ? "nothing tells what made the request" : reasons[machineReason];
