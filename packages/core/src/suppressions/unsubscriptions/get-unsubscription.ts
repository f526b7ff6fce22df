import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { readUnsubscribeToken } from "../unsubscribe-link.ts";
import { tokenInput, type UnsubscriptionView, viewUnsubscription } from "./unsubscription-view.ts";

/**
 * Returns the address and list of an unsubscribe link. Changes nothing, as mail scanners open links (platform.md P10).
 */
export const getUnsubscription = useCase({
  access: "anonymous",
  reads: true,
  input: tokenInput,
  async run({ storage, runtime, now }, { token }): Promise<UnsubscriptionView> {
    const known = readUnsubscribeToken(runtime, token);
    if (known === undefined || (await storage.workspaces.find(known.workspaceId)) === undefined)
      throw new ServiceError("not_found", { message: "There is no such subscription." });
    return await viewUnsubscription(storage, known, now);
  },
});
