import type { Mailer } from "@posthorn/core";
import { createHostResolver } from "@posthorn/core/network";
import { defaultClientName } from "./smtp/parse-smtp-url.ts";
import { probeServer } from "./smtp/probe-server.ts";
import { tenantSettings } from "./smtp/tenant-settings.ts";

/** Which servers of workspaces may be connected to. */
export interface ServerProbeOptions {
  /** Whether they may have private addresses and other ports than 25, 465, 587, 2525. Default false. */
  allowPrivateServers?: boolean;
  /** Whether they need no valid certificate. Default false. */
  allowInsecureServers?: boolean;
}

/** Makes what tries a workspace's server (`Mailer.probe`), for a mailer that sends nothing. */
export function createServerProbe(options: ServerProbeOptions = {}): NonNullable<Mailer["probe"]> {
  const resolver = createHostResolver();
  return (server, given) =>
    probeServer(tenantSettings(server, { ...options, clientName: defaultClientName(), resolver }), given);
}
