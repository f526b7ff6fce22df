import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";

/** Revokes a key. It is refused from the next request on (decisions §8). */
export const revokeApiKey = useCase({
  access: "api_keys:write",
  input: z.strictObject({ apiKeyId: uuidField.describe("The API key's id, a UUID.") }),
  async run({ storage, workspace, now, emit }, { apiKeyId }): Promise<void> {
    const key = await storage.apiKeys.find(workspace.id, apiKeyId);
    if (key === undefined || !(await storage.apiKeys.revoke(workspace.id, apiKeyId, now)))
      throw new ServiceError("not_found", { message: "There is no such API key." });
    emit("apikey.revoked", { metadata: { api_key_id: apiKeyId, name: key.name, prefix: key.prefix } });
  },
});
