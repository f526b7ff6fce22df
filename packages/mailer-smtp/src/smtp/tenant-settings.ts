import type { SmtpServerAddress } from "@posthorn/core";
import type { HostResolver } from "@posthorn/core/network";
import type { ServerSettings } from "./server-settings.ts";

/**
 * How to connect to a workspace's server: only to public addresses and with a valid certificate, unless the options
 * allow more.
 */
export function tenantSettings(
  { host, port, security, username, password }: SmtpServerAddress,
  options: {
    clientName: string;
    resolver: HostResolver;
    allowPrivateServers?: boolean;
    allowInsecureServers?: boolean;
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
