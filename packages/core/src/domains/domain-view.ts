import { ServiceError } from "../errors.ts";
import type {
  DkimAlgorithm,
  DkimKeyState,
  Domain,
  DomainStatus,
  DomainTls,
  RecordPurpose,
  RecordStatus,
  Repositories,
  StoredDkimKey,
} from "../ports/storage.ts";
import type { Config } from "../service/options.ts";
import { dkimName, dkimValue, ownershipName, ownershipValue } from "./rules/dkim-names.ts";
import { relativeTo } from "./rules/domain-name.ts";
import { spfValue } from "./rules/judge-policies.ts";
import { exchangePriority, returnPathDomain, returnPathSpf } from "./rules/return-path.ts";
import type { DomainProblem } from "./rules/verdict.ts";

/** Ms that a retired key's record stays wanted: what it signed may still be on its way. */
const keptAfterMs = 7 * 86_400_000;

/** A DNS record of a sending domain, and how it was found. */
export interface DomainRecordView {
  /** What it is there for. */
  purpose: RecordPurpose;
  /** Whether the domain's status depends on it. */
  required: boolean;
  /** Its type. */
  type: "TXT" | "MX";
  /** The full name. */
  name: string;
  /** What is typed into a DNS panel: relative to the zone, `@` for the zone itself. */
  host: string;
  /** What it has to say. */
  value: string;
  /** Seconds. */
  ttl: number;
  /** The preference of an MX record, whose value is the host alone. */
  priority: number | undefined;
  /** `unchecked` before it was looked at; `keep` and `removable` of a retired key's record. */
  status: RecordStatus | "unchecked" | "keep" | "removable";
  /** What stands there. */
  found: string[];
  /** What is wrong with what stands there. */
  problem: DomainProblem | undefined;
  /** What to do about it; empty where there is nothing to do. */
  hint: string;
}

/** A sending domain as people see it, without its private keys. Times are ms since the epoch. */
export interface DomainView {
  /** The domain's id, a UUID. */
  id: string;
  /** The domain, in lower case. */
  name: string;
  /** Whether the required records were found. */
  status: DomainStatus;
  /** Why it is as it is; empty where all is well. */
  statusReason: string;
  /** What has to stand in its zone, and what was found there. */
  records: DomainRecordView[];
  /** The keys that mail is signed with, and those before and after. */
  dkim: {
    selector: string;
    algorithm: DkimAlgorithm;
    state: DkimKeyState;
    /** Whether mail is signed with it: the active one of RSA, and that of Ed25519 once it is published. */
    signs: boolean;
    createdAt: number;
    activatedAt: number | undefined;
    retiredAt: number | undefined;
  }[];
  /** Whether it counts for senders of its subdomains, too. */
  includeSubdomains: boolean;
  /** What stands before the name in the domain of its return paths. */
  returnPath: string;
  /** Whether what comes back there reaches this service, so that mail has return paths there. */
  returnPathVerified: boolean;
  /** Whether mail from it goes over protected connections alone. */
  tls: DomainTls;
  /** Since when it is verified, ms since the epoch. */
  verifiedAt: number | undefined;
  /** When its records were last looked at, ms since the epoch. */
  checkedAt: number | undefined;
  /** When they are looked at again by themselves, ms since the epoch. */
  nextCheckAt: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
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
    dkim: domain.keys.map(
      ({ selector, algorithm, state, isPublished, createdAt, activatedAt, retiredAt }) => ({
        selector,
        algorithm,
        state,
        signs: state === "active" && (algorithm === "rsa-2048" || isPublished),
        createdAt,
        activatedAt,
        retiredAt,
      }),
    ),
    includeSubdomains: domain.includeSubdomains,
    returnPath: domain.returnPath,
    returnPathVerified: domain.returnPathVerified,
    tls: domain.tls,
    verifiedAt: domain.verifiedAt,
    checkedAt: domain.checkedAt,
    nextCheckAt: domain.nextCheckAt,
    createdAt: domain.createdAt,
    updatedAt: domain.updatedAt,
  };
}

function viewRecords(domain: Domain, { spfInclude, inboundHost }: Config, now: number): DomainRecordView[] {
  const { name, organisation, token, keys, findings } = domain;
  const zone = findings.zone ?? organisation;
  const view = (
    purpose: RecordPurpose,
    record: { name: string; value: string; required?: boolean; type?: "MX" },
  ): DomainRecordView => {
    const { type = "TXT" } = record;
    const found = findings.records.find(
      (one) => one.purpose === purpose && one.type === type && one.name === record.name,
    );
    return {
      purpose,
      required: record.required ?? false,
      type,
      name: record.name,
      host: relativeTo(record.name, zone),
      value: found?.value ?? record.value,
      ttl: 3600,
      priority: type === "MX" ? exchangePriority : undefined,
      status: found?.status ?? "unchecked",
      found: found?.found ?? [],
      problem: found?.problem as DomainProblem | undefined,
      hint: found?.hint ?? "",
    };
  };
  const keyRecord = (key: StoredDkimKey): DomainRecordView => {
    const required = key.state === "active" && key.algorithm === "rsa-2048";
    const shown = view("dkim", {
      name: dkimName(key.selector, name),
      value: dkimValue(key),
      required,
    });
    return key.retiredAt === undefined ? shown : { ...shown, ...farewell(key.retiredAt, now) };
  };
  const order: DkimKeyState[] = ["active", "standby", "retired"];
  const ofSpf = findings.records.find(({ purpose }) => purpose === "spf");
  const returnPath = returnPathDomain(domain);
  const hasSpf = ofSpf !== undefined && ofSpf.found.length > 0;
  const spfThere = returnPathSpf(name, { include: spfInclude, hasSpf });
  return [
    view("ownership", { name: ownershipName(name), value: ownershipValue(token), required: true }),
    ...order.flatMap((state) => keys.filter((key) => key.state === state).map(keyRecord)),
    ...(inboundHost === undefined
      ? []
      : [
          view("return_path", { name: returnPath, value: inboundHost, type: "MX" }),
          ...(spfThere === "" ? [] : [view("return_path", { name: returnPath, value: spfThere })]),
        ]),
    ...(ofSpf !== undefined || spfInclude !== undefined
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
