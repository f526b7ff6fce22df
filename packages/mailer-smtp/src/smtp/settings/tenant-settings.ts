import type { SmtpServerAddress } from "@posthorn/core";
import type { HostResolver } from "@posthorn/core/network";
import type { ServerSettings } from "./server-settings.ts";

/**
 * Makes the settings for a workspace's server: only public addresses and a valid certificate, unless the options allow
 * more.
 */
export function tenantSettings(
  { host, port, security, username, password }: SmtpServerAddress,
  options: {
    clientName: string;
    resolver: HostResolver;
    allowPrivateServers?: boolean | undefined;
    allowInsecureServers?: boolean | undefined;
  },
): ServerSettings {
  return {
    host,
    port,
    security,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    resolver: options.resolver,
    clientName: options.clientName,
    checksCertificate: !(options.allowInsecureServers ?? false),
    publicOnly: !(options.allowPrivateServers ?? false),
  };
}
