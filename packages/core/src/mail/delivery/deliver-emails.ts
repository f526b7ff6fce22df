import { setImmediate } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClaimedEmail } from "../../ports/storage.ts";
import { createGrace } from "../../queue/loop/create-grace.ts";
import type { Tenure } from "../../queue/loop/work.ts";
import { createWorkLoop, type WorkLoop } from "../../queue/loop/work-loop.ts";
import { createEmailLine } from "../../queue/order/email-line.ts";
import type { Runtime } from "../../service/runtime.ts";
import { type Attempted, attemptEmail, isUntried } from "./attempt-email.ts";
import { createAttachmentReader } from "./composing/attachment-reader.ts";
import { createBodyRoom } from "./composing/body-room.ts";
import { createPayloadReader } from "./composing/payload-reader.ts";
import { createPauses } from "./create-pauses.ts";
import { createRouteHolds } from "./create-route-holds.ts";
import { createEmailSource } from "./email-source.ts";
import { createHandOver } from "./servers/hand-over.ts";
import { postponedMs, settleEmails } from "./settle-emails.ts";
import { untilDeadline } from "./until-deadline.ts";

/** Ms within which claimed e-mails are to begin. */
const aheadMs = 1_000;

/**
 * Creates the loop that delivers due e-mails: it claims them under a lease, hands them to the mailer, and records each
 * recipient's outcome (decisions §7).
 */
export function createEmailDelivery(runtime: Runtime, worker: string): WorkLoop {
  const { storage, config, queueClock } = runtime;
  const { concurrency, leaseMs, pollMs } = config.worker;
  const batch = Math.min(200, concurrency * 4);
  const grace = createGrace({
    leaseMs,
    // The database's clock, by which alone a new process knows for how long claims were not renewed, may just have stepped
    // forward: all owners renew theirs within a third.
    firstMs: leaseMs / 2,
    monotonic: queueClock.monotonic,
  });
  const source = createEmailSource(runtime, worker, { slots: concurrency, batch, grace });
  const line = createEmailLine<ClaimedEmail>(concurrency, source.dueOwners, queueClock.monotonic);
  const payloads = createPayloadReader(storage, line.restart);
  const holds = createRouteHolds();
  const isPaused = createPauses(runtime);
  const means = {
    runtime,
    worker,
    handOver: createHandOver(runtime),
    attachments: createAttachmentReader(storage),
    bodies: createBodyRoom(line.restart),
    onAdmitted: line.restart,
  };

  async function handle(claimed: ClaimedEmail, tenure: Tenure): Promise<Attempted> {
    const { signal, isStillOurs } = tenure;
    const returned = { kind: "returned", claimed } as const;
    if (holds.stops(claimed)) return returned;
    const pausing = isPaused(claimed);
    if (pausing !== false && (await pausing)) return returned;
    const attempted = await payloads
      .use(claimed, (payload): Attempted | Promise<Attempted> => {
        // The worker stopped while the e-mail waited for memory.
        if (signal.aborted) return returned;
        const { deliverBefore } = claimed.email;
        return untilDeadline(queueClock, { deliverBefore, tenure }, (until) =>
          attemptEmail(means, { claimed, payload, tenure: until }),
        );
      })
      .catch((error: unknown): Attempted => {
        if (!isUntried(runtime, claimed, error)) throw error;
        return { kind: "postponed", claimed };
      });
    // The slot stays taken meanwhile: otherwise a long queue would be claimed and returned without a pause.
    if (attempted.kind === "postponed") await sleep(postponedMs, undefined, { signal }).catch(() => {});
    if (attempted.kind !== "held") return attempted;
    // This process is stopping, or stood still, which is no reason to hold the route for other workers.
    if (attempted.hold.cause === "closed" && (signal.aborted || !isStillOurs())) return returned;
    holds.note(claimed.route);
    return attempted;
  }

  const loop = createWorkLoop<ClaimedEmail, Attempted>(
    {
      name: "e-mails",
      slots: concurrency,
      batch,
      leaseMs,
      pollMs,
      aheadMs,
      line,
      async claim(limit, inHand) {
        const items = await grace.watch(source.claim(limit, inHand));
        holds.claimed(items, inHand);
        return items;
      },
      handle,
      ownerOf: ({ email }) => email.workspaceId,
      async settle(attempted) {
        const hasFreed = await grace.watchWrite(settleEmails(runtime, attempted, source.isTrial));
        // The last look may have found an empty queue, and knows nothing of a hold that ended, or ends before the next poll.
        if (hasFreed || attempted.some(({ kind }) => kind !== "tried" && kind !== "returned"))
          setImmediate(loop.wake);
      },
      async renew(items) {
        const claims = [...new Set(items.map(({ lease }) => lease.claimId))];
        const now = queueClock.now();
        const renewed = new Set(await grace.watchWrite(storage.emailQueue.renew(claims, now, now + leaseMs)));
        return items.filter(({ lease }) => renewed.has(lease.claimId));
      },
      release: (items) => storage.emailQueue.release(items.map(({ lease }) => lease)),
      nextDueAt: source.nextDueAt,
      lookGapMs: source.lookGapMs,
    },
    { clock: queueClock, logger: runtime.logger },
  );
  return loop;
}
