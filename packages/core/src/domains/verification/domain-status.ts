import type { Domain, DomainFindings, DomainStatus } from "../../ports/storage/domains.ts";
import { dkimName, ownershipName } from "../rules/dkim-names.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Ms after it was added that a domain is looked at while people wait for it. */
const firstChecks = [minute, 5 * minute, 15 * minute, hour];
const pendingEveryMs = 6 * hour;
const pendingForMs = 30 * day;
/** Ms of definite failures in a row after which nothing goes from it any more. */
const patienceMs = 72 * hour;

/** What a check says of a domain: all that is needed is there, something is definitely not, or nobody knows. */
export interface CheckOutcome {
  kind: "good" | "bad" | "unknown";
  /** Why it is not good. */
  reason: string;
}

/** The records that a domain's status hangs on: ownership, and the key that signs. */
function requiredNames({ name, keys }: Pick<Domain, "name" | "keys">): string[] {
  const active = keys.find(({ state, algorithm }) => state === "active" && algorithm === "rsa-2048");
  return [ownershipName(name), ...(active === undefined ? [] : [dkimName(active.selector, name)])];
}

/** What findings say of a domain. Those of a check that did not ask for what is required now, as the keys changed meanwhile, say nothing. */
export function judgeFindings(domain: Pick<Domain, "name" | "keys">, findings: DomainFindings): CheckOutcome {
  const required = requiredNames(domain).map((name) =>
    findings.records.find((record) => record.name === name),
  );
  const bad = required.find((record) => record && record.status !== "ok" && record.status !== "unreachable");
  if (bad !== undefined) return { kind: "bad", reason: `${bad.name}: ${bad.hint}` };
  const isGood = required.every((record) => record?.status === "ok");
  return isGood ? { kind: "good", reason: "" } : { kind: "unknown", reason: "" };
}

/** The status after a check. Only what is definite changes it, and only a good check mends it. */
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
 * When a domain is looked at again: soon after it was added, then every six hours for 30 days; daily once it is verified, a tenth sooner
 * or later so that not all come at once; every six hours while something is wrong. `undefined`: only when somebody asks. `random` is from 0 to under 1.
 */
export function nextCheckAt(
  { status, createdAt }: Pick<Domain, "status" | "createdAt">,
  now: number,
  random: number,
): number | undefined {
  if (status === "warning") return now + pendingEveryMs;
  if (status !== "pending") return now + Math.round(day * (0.9 + 0.2 * random));
  const next = firstChecks.map((after) => createdAt + after).find((at) => at > now) ?? now + pendingEveryMs;
  return next - createdAt > pendingForMs ? undefined : next;
}
