import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";

/** Deletes an endpoint: its webhooks are refused from now on (platform.md P7). */
export const deleteEndpoint = useCase({
  access: "inbound:write",
  input: z.strictObject({ endpointId: uuidField.describe("The endpoint's id, a UUID.") }),
  async run({ storage, workspace, emit }, { endpointId }): Promise<void> {
    const gone = orNotFound(await storage.inboundEndpoints.delete(workspace.id, endpointId), "such endpoint");
    emit("inbound_endpoint.deleted", { metadata: { endpoint_id: gone.id, provider: gone.provider } });
  },
});
