import { z } from "zod";
import { atLeastOne } from "../calls/at-least-one.ts";
import { changesOf } from "../calls/changes-of.ts";
import { useCase } from "../calls/use-case.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, orNotFound, viewDomain } from "./domain-view.ts";

/** Changes a sending domain. Holds for mail from its next attempt on. */
export const updateDomain = useCase({
  access: "domains:write",
  input: z
    .strictObject({
      domainId: domainFields.domainId,
      includeSubdomains: domainFields.includeSubdomains.optional(),
    })
    .superRefine(atLeastOne("domainId")),
  async run({ storage, workspace, config, now, emit }, { domainId, includeSubdomains }): Promise<DomainView> {
    const before = orNotFound(await storage.domains.lock(workspace.id, domainId));
    const changes = changesOf(before, { includeSubdomains: includeSubdomains ?? before.includeSubdomains });
    if (Object.keys(changes).length === 0) return viewDomain(before, config, now);
    const updated = await storage.domains.update(workspace.id, domainId, {
      ...(includeSubdomains !== undefined && { includeSubdomains }),
      updatedAt: now,
    });
    emit("domain.updated", { metadata: { domain_id: domainId, changes } });
    return viewDomain(orNotFound(updated), config, now);
  },
});
