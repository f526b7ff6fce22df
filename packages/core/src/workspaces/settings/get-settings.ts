import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Settings } from "../../ports/storage.ts";
import { settingsInForce } from "./settings-in-force.ts";

/** Returns the workspace's settings, for any member (service.md, Workspace settings). */
export const getSettings = useCase({
  access: "settings:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace }): Promise<Settings> {
    const settings = await storage.settings.find(workspace.id);
    if (settings === undefined) throw new ServiceError("not_found");
    return settingsInForce(storage, settings);
  },
});
