import type { Posthorn } from "@posthorn/core";
import type { SettingValues } from "../program/settings.ts";
import { cannotListen } from "./cannot-listen.ts";

/** A port that shows `/metrics` and nothing else. */
export interface ShownMetrics {
  url: string;
  close(): Promise<void>;
}

/** Shows the numbers of a process that answers nothing else, where a port for them is set. Throws a `CliError` where it can't listen there. */
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
