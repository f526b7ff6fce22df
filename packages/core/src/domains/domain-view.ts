import { ServiceError } from "../errors.ts";
import type {
  DkimKeyState,
  Domain,
  DomainStatus,
  RecordPurpose,
  RecordStatus,
  Repositories,
  StoredDkimKey,
} from "../ports/storage.ts";
import type { Config } from "../service/options.ts";
import { dkimName, dkimValue, ownershipName, ownershipValue } from "./rules/dkim-names.ts";
import { relativeTo } from "./rules/domain-name.ts";
import { spfValue } from "./rules/judge-policies.ts";
import type { DomainProblem } from "./rules/verdict.ts";

/** Ms that a retired key's record stays wanted: what it signed may still be on its way. */
const keptAfterMs = 7 * 86_400_000;

/** A DNS record of a sending domain, and how it was found. */
export interface DomainRecordView {
  purpose: RecordPurpose;
  /** Whether the domain's status hangs on it. */
  required: boolean;
  type: "TXT";
  /** The full name. */
  name: string;
  /** What is typed into a DNS panel: relative to the zone, `@` for the zone itself. */
  host: string;
  value: string;
  /** Seconds. */
  ttl: number;
  /** `unchecked` before it was looked at; `keep` and `removable` of a retired key's record. */
  status: RecordStatus | "unchecked" | "keep" | "removable";
  /** What stands there. */
  found: string[];
  problem: DomainProblem | undefined;
  /** What to do about it; empty where there is nothing to do. */
  hint: string;
}

/** A sending domain as people see it, without its private keys. Times are ms since the epoch. */
export interface DomainView {
  id: string;
  name: string;
  status: DomainStatus;
  /** Why it is as it is; empty where all is well. */
  statusReason: string;
  records: DomainRecordView[];
  dkim: {
    selector: string;
    algorithm: "rsa-2048";
    state: DkimKeyState;
    createdAt: number;
    activatedAt: number | undefined;
    retiredAt: number | undefined;
  }[];
  includeSubdomains: boolean;
  verifiedAt: number | undefined;
  checkedAt: number | undefined;
  nextCheckAt: number | undefined;
  createdAt: number;
  updatedAt: number;
}

/** The domain as it is shown at a time. */
export function viewDomain(domain: Domain, config: Config, now: number): DomainView {
  return {
    id: domain.id,
    name: domain.name,
    status: domain.status,
    statusReason: domain.statusReason,
    records: viewRecords(domain, config, now),
    dkim: domain.keys.map(({ selector, algorithm, state, createdAt, activatedAt, retiredAt }) => ({
      selector,
      algorithm,
      state,
      createdAt,
      activatedAt,
      retiredAt,
    })),
    includeSubdomains: domain.includeSubdomains,
    verifiedAt: domain.verifiedAt,
    checkedAt: domain.checkedAt,
    nextCheckAt: domain.nextCheckAt,
    createdAt: domain.createdAt,
    updatedAt: domain.updatedAt,
  };
}

function viewRecords(domain: Domain, { spfInclude }: Config, now: number): DomainRecordView[] {
  const { name, organisation, token, keys, findings } = domain;
  const zone = findings.zone ?? organisation;
  const view = (
    purpose: RecordPurpose,
    record: { name: string; value: string; required?: boolean },
  ): DomainRecordView => {
    const found = findings.records.find((one) => one.purpose === purpose && one.name === record.name);
    return {
      purpose,
      required: record.required ?? false,
      type: "TXT",
      name: record.name,
      host: relativeTo(record.name, zone),
      value: found?.value ?? record.value,
      ttl: 3600,
      status: found?.status ?? "unchecked",
      found: found?.found ?? [],
      problem: found?.problem as DomainProblem | undefined,
      hint: found?.hint ?? "",
    };
  };
  const keyRecord = (key: StoredDkimKey): DomainRecordView => {
    const required = key.state === "active";
    const shown = view("dkim", {
      name: dkimName(key.selector, name),
      value: dkimValue(key.publicKey),
      required,
    });
    return key.retiredAt === undefined ? shown : { ...shown, ...farewell(key.retiredAt, now) };
  };
  const order: DkimKeyState[] = ["active", "standby", "retired"];
  const hasSpf = findings.records.some(({ purpose }) => purpose === "spf");
  return [
    view("ownership", { name: ownershipName(name), value: ownershipValue(token), required: true }),
    ...order.flatMap((state) => keys.filter((key) => key.state === state).map(keyRecord)),
    ...(hasSpf || spfInclude !== undefined
      ? [view("spf", { name, value: spfValue(undefined, spfInclude) })]
      : []),
    view("dmarc", { name: `_dmarc.${organisation}`, value: "v=DMARC1; p=none" }),
  ];
}

/** How the record of a retired key is shown. */
const farewell = (
  retiredAt: number,
  now: number,
): Pick<DomainRecordView, "status" | "found" | "problem" | "hint"> => {
  const isKept = now < retiredAt + keptAfterMs;
  return {
    status: isKept ? "keep" : "removable",
    found: [],
    problem: undefined,
    hint: isKept
      ? `Leave it until ${new Date(retiredAt + keptAfterMs).toISOString().slice(0, 10)}: mail that it signed may still be on its way.`
      : "The key signs no more: the record may be removed.",
  };
};

/** The workspace's domain; throws `not_found`. */
export async function findDomainOrThrow(
  storage: Pick<Repositories, "domains">,
  workspaceId: number,
  id: string,
): Promise<Domain> {
  return orNotFound(await storage.domains.find(workspaceId, id));
}

/** The domain, if there is one; throws `not_found`. */
export function orNotFound(domain: Domain | undefined): Domain {
  if (domain === undefined) throw new ServiceError("not_found", { message: "There is no such domain." });
  return domain;
}
