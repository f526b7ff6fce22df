import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { domainFields } from "./domain-fields.ts";
import { type DomainView, findDomainOrThrow, viewDomain } from "./domain-view.ts";

/** Returns one sending domain, with the records to publish and the status of each. */
export const getDomain = useCase({
  access: "domains:read",
  reads: true,
  input: z.strictObject({ domainId: domainFields.domainId }),
  run: async ({ storage, workspace, config, now }, { domainId }): Promise<DomainView> =>
    viewDomain(await findDomainOrThrow(storage, workspace.id, domainId), config, now),
});
