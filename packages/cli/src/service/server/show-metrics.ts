import type { Posthorn } from "@posthorn/core";
import type { SettingValues } from "../../program/settings/settings.ts";
import { cannotListen } from "./cannot-listen.ts";

/** A port that serves only `/metrics`. */
export interface ShownMetrics {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves the metrics of a process without an API, if a port for them is set. Throws a `CliError` if it can't listen
 * there.
 */
export async function showMetrics(
  posthorn: Posthorn,
  {
    metrics_port: port,
    metrics_host,
    host: ofApi,
  }: Pick<SettingValues, "metrics_port" | "metrics_host" | "host">,
): Promise<ShownMetrics | undefined> {
  if (port === undefined) return undefined;
  const host = metrics_host ?? ofApi;
  const { createPosthornServer } = await import("@posthorn/http");
  const server = createPosthornServer(posthorn);
  const { url } = await server.listenForMetrics(port, host).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(error, host, { port, settings: "--metrics-port or --metrics-host" });
  });
  return { url: `${url}/metrics`, close: () => server.stop({ timeoutMs: 0 }) };
}
