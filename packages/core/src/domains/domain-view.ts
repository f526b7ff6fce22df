import { orNotFound } from "../calls/or-not-found.ts";
import type {
  DkimAlgorithm,
  DkimKeyState,
  Domain,
  DomainStatus,
  DomainTls,
  RecordPurpose,
  RecordStatus,
  RecordType,
  Repositories,
  StoredDkimKey,
} from "../ports/storage.ts";
import type { Config } from "../service/options.ts";
import { dkimName, dkimValue, ownershipName, ownershipValue } from "./rules/dkim-names.ts";
import { relativeTo } from "./rules/domain-name.ts";
import { spfValue } from "./rules/judge-policies.ts";
import { exchangePriority, returnPathDomain, returnPathSpf } from "./rules/return-path.ts";
import { trackingDomain } from "./rules/tracking-host.ts";
import type { DomainProblem } from "./rules/verdict.ts";

/** How long, in ms, a retired key's record should stay published: mail that it signed may still be in transit. */
const keptAfterMs = 7 * 86_400_000;

/** A DNS record of a sending domain with the result of its last check. */
export interface DomainRecordView {
  /** The record's purpose. */
  purpose: RecordPurpose;
  /** Whether the domain's status depends on the record. */
  required: boolean;
  /** The record's type. */
  type: RecordType;
  /** The record's full name. */
  name: string;
  /** The name for a DNS panel: relative to the zone, `@` for the zone itself. */
  host: string;
  /** The value to publish. */
  value: string;
  /** Time to live in seconds. */
  ttl: number;
  /** The preference of an MX record, whose `value` is only the host. */
  priority: number | undefined;
  /** Result of the last check; `unchecked` before the first. A retired key's record is `keep`, later `removable`. */
  status: RecordStatus | "unchecked" | "keep" | "removable";
  /** The values that the check found. */
  found: string[];
  /** The problem with the values found. */
  problem: DomainProblem | undefined;
  /** How to fix the problem; empty if there is nothing to do. */
  hint: string;
}

/** A sending domain as the API shows it, without its private keys. Times are ms since the epoch. */
export interface DomainView {
  /** The domain's id, a UUID. */
  id: string;
  /** The domain's name in lower case. */
  name: string;
  /** Whether the required records were found. */
  status: DomainStatus;
  /** Reason for the status; empty if the check found no problem. */
  statusReason: string;
  /** The records to publish, and what the last check found. */
  records: DomainRecordView[];
  /** The active keys, the standby keys that succeed them, and the retired ones. */
  dkim: {
    selector: string;
    algorithm: DkimAlgorithm;
    state: DkimKeyState;
    /**
     * Whether mail is signed with it: true for the active RSA key, and for the active Ed25519 key once its record is
     * published.
     */
    signs: boolean;
    createdAt: number;
    activatedAt: number | undefined;
    retiredAt: number | undefined;
  }[];
  /** Whether the domain also covers senders of its subdomains. */
  includeSubdomains: boolean;
  /** Prefix of the return path's domain, before the domain's name. */
  returnPath: string;
  /** Whether mail to the return path's domain reaches this service, so that e-mails use it. */
  returnPathVerified: boolean;
  /** Prefix of the host in tracked links and images, before the domain's name; `undefined`: the service's own host. */
  tracking: string | undefined;
  /** Whether the tracking host's record leads to this service, so that links and images use it. */
  trackingVerified: boolean;
  /** Whether mail from the domain is delivered only over TLS. */
  tls: DomainTls;
  /** When it was verified, ms since the epoch. */
  verifiedAt: number | undefined;
  /** When its records were last checked, ms since the epoch. */
  checkedAt: number | undefined;
  /** When its records are next checked automatically, ms since the epoch. */
  nextCheckAt: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Returns the domain's view at the time `now`, ms since the epoch. */
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
    tracking: domain.tracking,
    trackingVerified: domain.trackingVerified,
    tls: domain.tls,
    verifiedAt: domain.verifiedAt,
    checkedAt: domain.checkedAt,
    nextCheckAt: domain.nextCheckAt,
    createdAt: domain.createdAt,
    updatedAt: domain.updatedAt,
  };
}

function viewRecords(domain: Domain, config: Config, now: number): DomainRecordView[] {
  const { spfInclude, inboundHost, trackingHost } = config;
  const { name, organisation, token, keys, findings } = domain;
  const zone = findings.zone ?? organisation;
  const view = (
    purpose: RecordPurpose,
    record: { name: string; value: string; required?: boolean; type?: RecordType },
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
  const tracking = trackingDomain(domain);
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
    ...(tracking === undefined || trackingHost === undefined
      ? []
      : [view("tracking", { name: tracking, value: trackingHost, type: "CNAME" })]),
    ...(ofSpf !== undefined || spfInclude !== undefined
      ? [view("spf", { name, value: spfValue(undefined, spfInclude, undefined) })]
      : []),
    view("dmarc", { name: `_dmarc.${organisation}`, value: "v=DMARC1; p=none" }),
  ];
}

/** The state shown for a retired key's record. */
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
      ? `Keep the record until ${new Date(retiredAt + keptAfterMs).toISOString().slice(0, 10)}: mail that the key signed may still be in transit.`
      : "The key no longer signs: the record may be removed.",
  };
};

/** Returns the workspace's domain. Throws `not_found`. */
export async function findDomainOrThrow(
  storage: Pick<Repositories, "domains">,
  workspaceId: number,
  id: string,
): Promise<Domain> {
  return orNotFound(await storage.domains.find(workspaceId, id), "such domain");
}
