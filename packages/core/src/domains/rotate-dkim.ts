import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import type { Domain, RecordFinding, StoredDkimKey } from "../ports/storage.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, findDomainOrThrow, orNotFound, viewDomain } from "./domain-view.ts";
import { newKey } from "./new-key.ts";
import { dkimName, dkimValue } from "./rules/dkim-names.ts";
import { checkStandby } from "./verification/check-domain.ts";
import { activeOf, rotateKeys, standbyOf } from "./verification/rotate-keys.ts";

/**
 * Lets the standby key sign from the next attempt on, and makes a new standby whose record is to be published. The record of the standby
 * must be there, which is looked at; else `dkim_not_published` with the record.
 */
export const rotateDkim = useCase({
  access: "domains:write",
  input: z.strictObject({ domainId: domainFields.domainId }),
  async prepare(context, { domainId }) {
    const { storage, workspace, runtime } = context;
    await reserveAttempt(context, guardOf.domainChecks(workspace.id));
    const domain = await findDomainOrThrow(storage, workspace.id, domainId);
    const standby = standbyOf(domain);
    if (standby === undefined) throw new TypeError("a domain has no standby key");
    const finding = await checkStandby(runtime.dns, domain, standby.selector);
    if (finding.status !== "ok") throw notPublished(domain, standby, finding);
    return { standby, finding, pair: await runtime.createKeyPair() };
  },
  async run(
    { storage, workspace, runtime, config, now, emit },
    { domainId },
    { standby, finding, pair },
  ): Promise<DomainView> {
    const domain = orNotFound(await storage.domains.lock(workspace.id, domainId));
    const [active, next] = [activeOf(domain), standbyOf(domain)];
    if (active === undefined || next === undefined) throw new TypeError("a domain lacks a key");
    // Another rotation was quicker: what stands by now has not been looked at.
    if (next.selector !== standby.selector) throw notPublished(domain, next, undefined);
    const records = [...domain.findings.records.filter(({ name }) => name !== finding.name), finding];
    await storage.domains.update(workspace.id, domainId, { findings: { ...domain.findings, records } });
    const fresh = newKey(runtime, pair, { domainId, state: "standby", now });
    const rotated = await rotateKeys(storage, domain, fresh, now);
    const { name } = domain;
    emit("domain.dkim_rotated", {
      metadata: { domain_id: domainId, name, from: active.selector, to: next.selector },
    });
    return viewDomain(rotated, config, now);
  },
});

function notPublished(
  { name }: Domain,
  { selector, publicKey }: StoredDkimKey,
  finding: RecordFinding | undefined,
): ServiceError {
  const record = {
    type: "TXT",
    name: dkimName(selector, name),
    value: dkimValue(publicKey),
    status: finding?.status ?? "unchecked",
    problem: finding?.problem ?? null,
    found: finding?.found ?? [],
    hint: finding?.hint ?? "",
  };
  const message = `The next key's record ${record.name} is not there: ${record.hint || "publish it first."}`;
  return new ServiceError("dkim_not_published", { message, details: { record } });
}
