import type { Posthorn } from "@posthorn/core";
import type { SettingValues } from "../program/settings/settings.ts";
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
  { metrics_port: port, host }: Pick<SettingValues, "metrics_port" | "host">,
): Promise<ShownMetrics | undefined> {
  if (port === undefined) return undefined;
  const { createPosthornServer } = await import("@posthorn/http");
  const server = createPosthornServer(posthorn);
  const { url } = await server.listenForMetrics(port, host).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(error, { host }, { port, flag: "--metrics-port" });
  });
  return { url: `${url}/metrics`, close: () => server.stop({ timeoutMs: 0 }) };
}
