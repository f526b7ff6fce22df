import { z } from "zod";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { guardOf, reserveAttempt } from "../identity/guard-attempts.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, findDomainOrThrow, viewDomain } from "./domain-view.ts";
import { checkDomain } from "./verification/check-domain.ts";
import { recordCheck } from "./verification/record-check.ts";

/**
 * Checks a sending domain's records now, at the zone's own name servers. Takes at most 10 seconds; allowed 30 times in
 * ten minutes.
 */
export const verifyDomain = useCase({
  access: "domains:write",
  refusals: ["rate_limited"],
  input: z.strictObject({ domainId: domainFields.domainId }),
  async prepare(context, { domainId }) {
    const { storage, workspace, runtime, config } = context;
    await reserveAttempt(context, guardOf.domainChecks(workspace.id));
    const domain = await findDomainOrThrow(storage, workspace.id, domainId);
    return { checked: domain, findings: await checkDomain(runtime.dns, { domain, config }) };
  },
  async run(
    { storage, workspace, runtime, config, now, emit, wake },
    { domainId },
    result,
  ): Promise<DomainView> {
    const locked = orNotFound(await storage.domains.lock(workspace.id, domainId), "such domain");
    const { domain, event, deliveries } = await recordCheck(runtime, storage, locked, result);
    if (event !== undefined)
      emit(event, { metadata: { domain_id: domainId, name: domain.name, reason: domain.statusReason } });
    if (deliveries.length > 0) {
      await storage.webhookDeliveries.insert(deliveries);
      wake("webhooks");
    }
    return viewDomain(domain, config, now);
  },
});
