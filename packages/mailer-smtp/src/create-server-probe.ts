import type { Mailer } from "@posthorn/core";
import { createHostResolver } from "@posthorn/core/network";
import { probeServer } from "./smtp/probe-server.ts";
import { defaultClientName } from "./smtp/settings/parse-smtp-url.ts";
import { tenantSettings } from "./smtp/settings/tenant-settings.ts";

/** Which workspace servers the probe may connect to. */
export interface ServerProbeOptions {
  /** Whether these servers may have private addresses and ports other than 25, 465, 587 and 2525. Default false. */
  allowPrivateServers?: boolean | undefined;
  /** Whether these servers need no valid certificate. Default false. */
  allowInsecureServers?: boolean | undefined;
}

/** Creates the test of a workspace's server (`Mailer.probe`) for a mailer that sends nothing itself. */
export function createServerProbe(options: ServerProbeOptions = {}): NonNullable<Mailer["probe"]> {
  const resolver = createHostResolver();
  return (server, given) =>
    probeServer(tenantSettings(server, { ...options, clientName: defaultClientName(), resolver }), given);
}
