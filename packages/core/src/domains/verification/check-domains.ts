import { changeAndTell } from "../../calls/change-and-tell.ts";
import { createEvent, type Outbox } from "../../calls/outbox.ts";
import type { EventMetadata, EventType } from "../../events.ts";
import type { Domain, DomainFindings, StoredDkimKey } from "../../ports/storage/domains.ts";
import type { Repositories } from "../../ports/storage.ts";
import { createFirstComeLine } from "../../queue/first-come-line.ts";
import { createWorkLoop, type WorkLoop } from "../../queue/work-loop.ts";
import type { Runtime } from "../../service/runtime.ts";
import { newKey } from "../new-key.ts";
import { dkimName } from "../rules/dkim-names.ts";
import { checkDomain } from "./check-domain.ts";
import { noteCheck } from "./note-check.ts";
import { activeOf, findingOf, rotateKeys, standbyOf } from "./rotate-keys.ts";

/** Domains looked at at once, in each process. */
const slots = 8;
/** Ms until another worker takes a domain whose check never ended: no check takes as long. */
const leaseMs = 60_000;
const dayMs = 86_400_000;
const caller = { kind: "operator", name: "Posthorn" } as const;

interface Checked {
  domain: Domain;
  findings: DomainFindings;
  /** A new key, where the active one is due to be replaced and the standby's record is there. */
  next: StoredDkimKey | undefined;
  /** Whether the active key is due to be replaced. */
  rotates: boolean;
}

/** Looks at sending domains when their checks are due, and replaces keys that are old enough. */
export function createDomainChecks(runtime: Runtime): WorkLoop {
  const { storage, queueClock, logger, config } = runtime;
  return createWorkLoop<Domain, Checked>(
    {
      name: "domains",
      slots,
      batch: slots,
      leaseMs,
      pollMs: config.worker.pollMs,
      line: createFirstComeLine(),
      async claim(limit) {
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
  const { spfInclude } = runtime.config;
  const findings = await checkDomain(runtime.dns, { domain, spfInclude });
  const rotates = await isOld(runtime, domain);
  const standby = standbyOf(domain);
  const isPublished =
    standby !== undefined && findingOf({ ...domain, findings }, standby.selector)?.status === "ok";
  const now = runtime.queueClock.now();
  const next =
    rotates && isPublished
      ? newKey(runtime, await runtime.createKeyPair(), { domainId: domain.id, state: "standby", now })
      : undefined;
  return { domain, findings, next, rotates };
}

/** Whether the workspace wants keys replaced, and the active one is old enough. */
async function isOld({ storage, queueClock }: Runtime, domain: Domain): Promise<boolean> {
  if (domain.status !== "verified") return false;
  const { dkimRotationDays: days = 0 } = (await storage.settings.find(domain.workspaceId)) ?? {};
  const since = activeOf(domain)?.activatedAt;
  return days > 0 && since !== undefined && since + days * dayMs <= queueClock.now();
}

const settle = (runtime: Runtime, checked: Checked): Promise<void> =>
  changeAndTell(runtime, (storage, outbox) => note(runtime, storage, outbox, checked));

async function note(
  runtime: Runtime,
  storage: Repositories,
  outbox: Outbox,
  checked: Checked,
): Promise<void> {
  const { workspaceId, id, name } = checked.domain;
  const now = runtime.queueClock.now();
  const emit = <T extends EventType>(type: T, metadata: EventMetadata<T>): void =>
    void outbox.events.push(createEvent(type, { metadata }, { caller, workspaceId, clientIp: "", now }));
  const domain = await storage.domains.lock(workspaceId, id);
  // Removed meanwhile.
  if (domain === undefined) return;
  const noted = await noteCheck(runtime, storage, domain, checked.findings);
  outbox.deliveries.push(...noted.deliveries);
  if (noted.event !== undefined)
    emit(noted.event, { domain_id: id, name, reason: noted.domain.statusReason });
  const [from, to] = [activeOf(domain), standbyOf(domain)];
  // Somebody else may have replaced the key meanwhile.
  if (!checked.rotates || from === undefined || to === undefined) return;
  if (from.selector !== activeOf(checked.domain)?.selector) return;
  if (checked.next !== undefined) {
    await rotateKeys(storage, domain, checked.next, now);
    emit("domain.dkim_rotated", { domain_id: id, name, from: from.selector, to: to.selector });
  } else if (domain.rotationToldAt === undefined) {
    await storage.domains.update(workspaceId, id, { rotationToldAt: now });
    emit("domain.dkim_rotation_waiting", { domain_id: id, name, record: dkimName(to.selector, name) });
  }
}
