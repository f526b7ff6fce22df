import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { readUnsubscribeToken } from "../unsubscribe-link.ts";
import { unsubscribe } from "./unsubscribe.ts";
import { tokenInput, type UnsubscriptionView, viewUnsubscription } from "./unsubscription-view.ts";

/**
 * Unsubscribes the link's recipient from the link's list only. Repeating it changes nothing (platform.md P10, RFC
 * 8058). Throws `not_found` for a link that this service did not issue.
 */
export const createUnsubscription = useCase({
  access: "anonymous",
  input: tokenInput,
  async run(context, { token }): Promise<UnsubscriptionView> {
    const { storage, runtime, now } = context;
    const known = readUnsubscribeToken(runtime, token);
    if (known === undefined || (await storage.workspaces.find(known.workspaceId)) === undefined)
      throw new ServiceError("not_found", { message: "There is no such subscription." });
    await unsubscribe(context, known);
    return await viewUnsubscription(storage, known, now);
  },
});
