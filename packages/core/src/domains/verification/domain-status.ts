import type { Domain, DomainFindings, DomainStatus } from "../../ports/storage.ts";
import { dkimName, ownershipName } from "../rules/dkim-names.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Ms from the domain's creation to each of the first checks, while people wait for the result. */
const firstChecks = [minute, 5 * minute, 15 * minute, hour];
const pendingEveryMs = 6 * hour;
const pendingForMs = 30 * day;
/** Ms of consecutive failed checks after which no more mail is sent from the domain. */
const patienceMs = 72 * hour;

/** Maximum ms until the next check of a domain. */
export const longestCheckMs = 1.1 * day;

/**
 * Result of a domain's check: `good` if all required records are published, `bad` if one is definitely missing or
 * wrong, `unknown` if name servers did not answer.
 */
export interface CheckOutcome {
  kind: "good" | "bad" | "unknown";
  /** The reason if the result is `bad`. */
  reason: string;
}

/** Returns the names of the records that the domain's status depends on: ownership and the signing key. */
function requiredNames({ name, keys }: Pick<Domain, "name" | "keys">): string[] {
  const active = keys.find(({ state, algorithm }) => state === "active" && algorithm === "rsa-2048");
  return [ownershipName(name), ...(active === undefined ? [] : [dkimName(active.selector, name)])];
}

/**
 * Judges the findings of a check. The result is `unknown` if the check did not cover a record that is required now, as
 * the keys changed in the meantime.
 */
export function judgeFindings(domain: Pick<Domain, "name" | "keys">, findings: DomainFindings): CheckOutcome {
  const required = requiredNames(domain).map((name) =>
    findings.records.find((record) => record.name === name),
  );
  const bad = required.find((record) => record && record.status !== "ok" && record.status !== "unreachable");
  if (bad !== undefined) return { kind: "bad", reason: `${bad.name}: ${bad.hint}` };
  const isGood = required.every((record) => record?.status === "ok");
  return isGood ? { kind: "good", reason: "" } : { kind: "unknown", reason: "" };
}

/** Returns the status after a check. Only definite results change it, and only a good check restores it. */
export function nextStatus(
  { status, statusSince }: Pick<Domain, "status" | "statusSince">,
  { kind }: Pick<CheckOutcome, "kind">,
  now: number,
): DomainStatus {
  if (kind === "good") return "verified";
  if (kind === "unknown") return status;
  if (status === "verified") return "warning";
  return status === "warning" && now - statusSince >= patienceMs ? "failed" : status;
}

/**
 * Returns when a domain is checked next, in ms: soon after it was added, then every six hours for 30 days; daily once
 * it is verified, up to a tenth earlier or later to spread the load; every six hours while its status is `warning`.
 * `undefined` means only on request. `random` is at least 0 and less than 1.
 */
export function nextCheckAt(
  { status, createdAt }: Pick<Domain, "status" | "createdAt">,
  now: number,
  random: number,
): number | undefined {
  if (status === "warning") return now + pendingEveryMs;
  if (status !== "pending") return now + Math.round(day * (0.9 + 0.2 * random));
  const first = firstChecks.map((after) => createdAt + after).find((at) => at > now);
  // A domain that was created by a clock that ran ahead is not left until then.
  const next = Math.min(first ?? Number.POSITIVE_INFINITY, now + pendingEveryMs);
  return next - createdAt > pendingForMs ? undefined : next;
}
