import { serviceCaller } from "../../calls/caller.ts";
import { changeAndNotify } from "../../calls/change-and-notify.ts";
import type { Outbox } from "../../calls/change-piece.ts";
import { createEvent } from "../../calls/outbox.ts";
import type { EventMetadata, EventType } from "../../events.ts";
import type { Domain, DomainFindings, Repositories, StoredDkimKey } from "../../ports/storage.ts";
import { createFirstComeLine } from "../../queue/loop/first-come-line.ts";
import { createWorkLoop, type WorkLoop } from "../../queue/loop/work-loop.ts";
import type { Runtime } from "../../service/runtime.ts";
import { makePair, newKey } from "../new-key.ts";
import { dkimName } from "../rules/dkim-names.ts";
import { checkDomain } from "./check-domain.ts";
import { recheckMovedHosts } from "./recheck-moved-hosts.ts";
import { recordCheck } from "./record-check.ts";
import {
  activeOf,
  changesOfKeys,
  findingOf,
  isInUse,
  type KeyChange,
  rotateKeys,
  selectorsOf,
} from "./rotate-keys.ts";

/** Number of domains that each process checks at once. */
const slots = 8;
/** Ms until another worker takes over a domain whose check never ended. No check takes as long. */
const leaseMs = 60_000;
const dayMs = 86_400_000;

interface Checked {
  domain: Domain;
  findings: DomainFindings;
  /** The keys that are due for rotation; empty if they are not old enough. */
  due: KeyChange[];
  /** New standby keys; empty unless the records of all succeeding keys are published. */
  next: StoredDkimKey[];
}

/** Creates the work loop that checks sending domains when they are due, and rotates keys that are old enough. */
export function createDomainChecks(runtime: Runtime): WorkLoop {
  const { storage, queueClock, logger, config } = runtime;
  let isBegun = false;
  return createWorkLoop<Domain, Checked>(
    {
      name: "domains",
      slots,
      batch: slots,
      leaseMs,
      pollMs: config.worker.pollMs,
      line: createFirstComeLine(),
      async claim(limit) {
        if (!isBegun) isBegun = await recheckMovedHosts(runtime);
        const now = queueClock.now();
        const due = await storage.domains.nextDueAt();
        return due === undefined || due > now ? [] : storage.domains.takeDue(now, now + leaseMs, limit);
      },
      handle: (domain) => check(runtime, domain),
      async settle(checked) {
        for (const one of checked) await settle(runtime, one);
      },
      release: (domains) =>
        storage.domains.release(
          domains.map(({ id }) => id),
          queueClock.now(),
        ),
      nextDueAt: () => storage.domains.nextDueAt(),
    },
    { clock: queueClock, logger },
  );
}

async function check(runtime: Runtime, domain: Domain): Promise<Checked> {
  const findings = await checkDomain(runtime.dns, { domain, config: runtime.config });
  const isPublished = ({ to }: KeyChange): boolean =>
    findingOf({ ...domain, findings }, to.selector)?.status === "ok";
  const due = (await isOld(runtime, domain))
    ? changesOfKeys(domain).filter((change) => isInUse(change) || isPublished(change))
    : [];
  const pairs = due.every(isPublished)
    ? await Promise.all(due.map(({ from }) => makePair(runtime, from.algorithm)))
    : [];
  const now = runtime.queueClock.now();
  const next = pairs.map((pair) => newKey(runtime, pair, { domainId: domain.id, state: "standby", now }));
  return { domain, findings, due, next };
}

/** Whether the workspace has automatic rotation enabled and the active key is old enough. */
async function isOld({ storage, queueClock }: Runtime, domain: Domain): Promise<boolean> {
  if (domain.status !== "verified") return false;
  const { dkimRotationDays: days = 0 } = (await storage.settings.find(domain.workspaceId)) ?? {};
  const since = activeOf(domain)?.activatedAt;
  return days > 0 && since !== undefined && since + days * dayMs <= queueClock.now();
}

const settle = (runtime: Runtime, checked: Checked): Promise<void> =>
  changeAndNotify(runtime, (storage, outbox) => note(runtime, storage, outbox, checked));

async function note(
  runtime: Runtime,
  storage: Repositories,
  outbox: Outbox,
  checked: Checked,
): Promise<void> {
  const { workspaceId, id, name } = checked.domain;
  const now = runtime.queueClock.now();
  const emit = <T extends EventType>(type: T, metadata: EventMetadata<T>): void =>
    void outbox.events.push(
      createEvent(type, { metadata }, { caller: serviceCaller, workspaceId, clientIp: "", now }),
    );
  const domain = await storage.domains.lock(workspaceId, id);
  // The domain was deleted in the meantime.
  if (domain === undefined) return;
  const noted = await recordCheck(runtime, storage, domain, {
    findings: checked.findings,
    checked: checked.domain,
  });
  outbox.deliveries.push(...noted.deliveries);
  if (noted.event !== undefined)
    emit(noted.event, { domain_id: id, name, reason: noted.domain.statusReason });
  const { due, next, findings } = checked;
  // A concurrent call may have rotated the key in the meantime.
  if (due.length === 0 || activeOf(domain)?.selector !== activeOf(checked.domain)?.selector) return;
  if (next.length > 0) {
    await rotateKeys(storage, domain, next, now);
    emit("domain.dkim_rotated", { domain_id: id, name, ...selectorsOf(due) });
  } else if (domain.rotationToldAt === undefined) {
    await storage.domains.update(workspaceId, id, { rotationToldAt: now });
    const waits = due.find(({ to }) => findingOf({ ...domain, findings }, to.selector)?.status !== "ok");
    const record = dkimName(waits?.to.selector ?? "", name);
    emit("domain.dkim_rotation_waiting", { domain_id: id, name, record });
  }
}
