import { z } from "zod";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import type { Domain, RecordFinding, StoredDkimKey } from "../ports/storage.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, findDomainOrThrow, viewDomain } from "./domain-view.ts";
import { makePair, newKey } from "./new-key.ts";
import { dkimName, dkimValue } from "./rules/dkim-names.ts";
import { checkKeys } from "./verification/check-domain.ts";
import { changesOfKeys, isInUse, rotateKeys, selectorsOf } from "./verification/rotate-keys.ts";

/**
 * Rotates the DKIM keys. Standby keys sign from the next delivery attempt on, and new standby keys are created, whose
 * records are to be published: always for RSA, and for Ed25519 if that signs or its record is published. Throws
 * `dkim_not_published`, with the record, if a standby key's record is not published.
 */
export const rotateDkim = useCase({
  access: "domains:write",
  refusals: ["dkim_not_published", "rate_limited"],
  input: z.strictObject({ domainId: domainFields.domainId }),
  async prepare(context, { domainId }) {
    const { storage, workspace, runtime } = context;
    await reserveAttempt(context, guardOf.domainChecks(workspace.id));
    const domain = await findDomainOrThrow(storage, workspace.id, domainId);
    const all = changesOfKeys(domain);
    const findings = await checkKeys(
      runtime.dns,
      domain,
      all.map(({ to }) => to.selector),
    );
    const findingOf = ({ selector }: StoredDkimKey) =>
      findings.find(({ name }) => name === dkimName(selector, domain.name));
    const changes = all.filter((change) => isInUse(change) || findingOf(change.to)?.status === "ok");
    for (const { to } of changes)
      if (findingOf(to)?.status !== "ok") throw notPublished(domain, to, findingOf(to));
    const pairs = await context.piece(() =>
      Promise.all(changes.map(({ from }) => makePair(runtime, from.algorithm))),
    );
    return { changes, findings, pairs };
  },
  async run(
    { storage, workspace, runtime, config, now, emit },
    { domainId },
    { changes, findings, pairs },
  ): Promise<DomainView> {
    const domain = orNotFound(await storage.domains.lock(workspace.id, domainId), "such domain");
    const standing = changesOfKeys(domain).map(({ to }) => to);
    for (const { to } of changes) {
      const next = standing.find(({ algorithm }) => algorithm === to.algorithm);
      // A concurrent rotation came first, and the record of the present standby key has not been checked.
      if (next !== undefined && next.selector !== to.selector) throw notPublished(domain, next, undefined);
    }
    const names = new Set(findings.map(({ name }) => name));
    const records = [...domain.findings.records.filter(({ name }) => !names.has(name)), ...findings];
    await storage.domains.update(workspace.id, domainId, { findings: { ...domain.findings, records } });
    const fresh = pairs.map((pair) => newKey(runtime, pair, { domainId, state: "standby", now }));
    const rotated = await rotateKeys(storage, domain, fresh, now);
    emit("domain.dkim_rotated", {
      metadata: { domain_id: domainId, name: domain.name, ...selectorsOf(changes) },
    });
    return viewDomain(rotated, config, now);
  },
});

function notPublished(
  { name }: Domain,
  key: StoredDkimKey,
  finding: RecordFinding | undefined,
): ServiceError {
  const record = {
    type: "TXT",
    name: dkimName(key.selector, name),
    value: dkimValue(key),
    status: finding?.status ?? "unchecked",
    problem: finding?.problem ?? null,
    found: finding?.found ?? [],
    hint: finding?.hint ?? "",
  };
  const message = `The next key's record ${record.name} is not published: ${record.hint || "publish it first."}`;
  return new ServiceError("dkim_not_published", { message, details: { record } });
}
