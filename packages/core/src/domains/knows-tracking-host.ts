import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { parseDomain } from "../rules/addresses.ts";

/**
 * Checks whether a name is the verified tracking host of any workspace's sending domain. A proxy asks this before it
 * requests a certificate for the name (platform.md P6).
 */
export const knowsTrackingHost = useCase({
  access: "anonymous",
  reads: true,
  input: z.strictObject({ host: z.string().max(254).describe("The host name.") }),
  async run({ storage, config }, { host }): Promise<boolean> {
    const name = parseDomain(host);
    if (config.trackingHost === undefined || name === undefined) return false;
    return await storage.domains.isTrackingHost(name);
  },
});
