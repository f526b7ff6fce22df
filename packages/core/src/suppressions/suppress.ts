import { changesOf } from "../calls/changes-of.ts";
import { createEvent } from "../calls/outbox.ts";
import type { Emission } from "../calls/use-case.ts";
import type { EventOrigin } from "../mail/email-events.ts";
import type { Notifications } from "../mail/notifications.ts";
import type {
  NewEvent,
  PutOutcome,
  PutResult,
  Repositories,
  Suppression,
  SuppressionOrigin,
} from "../ports/storage.ts";
import type { Runtime } from "../service/runtime.ts";
import { deliveriesTo } from "../webhooks/deliveries-to.ts";

/**
 * Suppresses addresses in the caller's transaction. All suppressions, by people, bounces, complaints and
 * unsubscriptions, are created here. Returns the outcome for each entry, the events for those added and updated, and the
 * webhook deliveries for those added; the caller must write these, in a use case by `record`.
 */
export async function suppress(
  runtime: Pick<Runtime, "newId" | "queueClock">,
  storage: Pick<Repositories, "suppressions" | "webhooks">,
  entries: Suppression[],
  origin: EventOrigin & { now: number },
): Promise<{ outcomes: PutOutcome[]; notifications: Notifications }> {
  const results = await storage.suppressions.put(entries, origin.now);
  const outcomes = results.map(({ outcome }) => outcome);
  const added = entries.filter((_, index) => outcomes[index] === "added");
  const notifications: Notifications = { events: updatesOf(entries, results, origin), deliveries: [] };
  if (added.length === 0) return { outcomes, notifications };
  const workspaces = new Set(added.map(({ workspaceId }) => workspaceId));
  const webhooks = await storage.webhooks.listActive([...workspaces]);
  for (const entry of added) {
    const { workspaceId, address: email, scope, origin: from, emailId } = entry;
    notifications.events.push(
      createEvent(
        "suppression.created",
        { metadata: { email, scope, origin: from, email_id: emailId }, ...causeOf(entry, origin) },
        { ...origin, workspaceId },
      ),
    );
    const own = webhooks.filter((webhook) => webhook.workspaceId === workspaceId);
    const notice = { workspaceId, type: "suppression.created", at: origin.now };
    notifications.deliveries.push(
      ...deliveriesTo(runtime, own, { ...notice, payload: () => payloadOf(entry, origin.now) }),
    );
  }
  return { outcomes, notifications };
}

const causes: Partial<Record<SuppressionOrigin, string>> = {
  bounce: "A bounce",
  complaint: "A complaint",
  unsubscribe: "An unsubscription",
};

/** Names the cause of a suppression whose caller has no name: a relay's report or a recipient's link. */
function causeOf({ origin: from }: Suppression, { caller }: EventOrigin): Pick<Emission, "actor"> {
  const name = caller.kind === "anonymous" ? causes[from] : undefined;
  return name === undefined ? {} : { actor: { id: undefined, name } };
}

/** Returns the events of the entries that replaced others. */
const updatesOf = (
  entries: Suppression[],
  results: PutResult[],
  origin: EventOrigin & { now: number },
): NewEvent[] =>
  results.flatMap((result, index) => {
    const entry = entries[index];
    if (entry === undefined || result.outcome !== "updated") return [];
    const { workspaceId, address: email, scope } = entry;
    const metadata = { email, scope, changes: suppressionChanges(result.former, entry) };
    return [
      createEvent("suppression.updated", { metadata, ...causeOf(entry, origin) }, { ...origin, workspaceId }),
    ];
  });

type Changeable = Pick<Suppression, "origin" | "expiresAt">;

/** Returns what an event tells of a suppression that took another's place. */
export const suppressionChanges = (from: Changeable, to: Changeable) =>
  changesOf(changeable(from), changeable(to));

const changeable = ({ origin, expiresAt }: Changeable) => ({
  origin,
  expires_at: timeOrNull(expiresAt),
});

const timeOrNull = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString();

/** Returns the webhook payload of `suppression.created`. */
function payloadOf(entry: Suppression, now: number): string {
  const { address, scope, origin, reason, emailId, expiresAt } = entry;
  return JSON.stringify({
    event: "suppression.created",
    timestamp: new Date(now).toISOString(),
    data: {
      email: address,
      scope,
      origin,
      reason,
      email_id: emailId ?? null,
      expires_at: timeOrNull(expiresAt),
    },
  });
}
