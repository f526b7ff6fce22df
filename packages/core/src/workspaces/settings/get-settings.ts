import { z } from "zod";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import type { Settings } from "../../ports/storage.ts";
import { settingsInForce } from "./settings-in-force.ts";

/** Returns the workspace's settings, for any member (service.md, Workspace settings). */
export const getSettings = useCase({
  access: "settings:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace }): Promise<Settings> {
    const settings = orNotFound(await storage.settings.find(workspace.id));
    return settingsInForce(storage, settings);
  },
});
