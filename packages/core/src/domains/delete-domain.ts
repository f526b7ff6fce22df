import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { domainFields } from "./domain-fields.ts";
import { findDomainOrThrow } from "./domain-view.ts";

/**
 * Deletes a sending domain and its keys, irrevocably. Waiting e-mails are sent unsigned from then on; those accepted
 * only because the domain was verified are refused.
 */
export const deleteDomain = useCase({
  access: "domains:write",
  input: z.strictObject({ domainId: domainFields.domainId }),
  async run({ storage, workspace, emit }, { domainId }): Promise<void> {
    const { name } = await findDomainOrThrow(storage, workspace.id, domainId);
    if (!(await storage.domains.delete(workspace.id, domainId))) throw new ServiceError("not_found");
    emit("domain.deleted", { metadata: { domain_id: domainId, name } });
  },
});
