import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startChild } from "./processes.ts";

/** Result of a load. */
export interface Load {
  perSecond: number;
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

const orderBody = JSON.stringify({
  template: "order",
  to: ["ben@example.net"],
  template_data: { name: "Ben", number: "2041" },
});

/** Writes the request that a load repeats to a file; returns its path. */
export function requestFile(
  folder: string,
  name: string,
  { path, key = "none", body = orderBody }: { path: string; key?: string | undefined; body?: string },
): string {
  const file = join(folder, name);
  writeFileSync(
    file,
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return file;
}

/** Loads a server over keep-alive connections from another process, for a time or a number of requests. */
export async function load(
  port: number,
  file: string,
  limit: { connections: number; seconds: number; requests?: number },
): Promise<Load> {
  const child = startChild(
    "load.ts",
    String(port),
    String(limit.connections),
    String(limit.seconds),
    file,
    String(limit.requests ?? 0),
  );
  const result = await child.next<Load>();
  const refused = Object.keys(result.statuses).find((status) => status !== "202");
  if (refused !== undefined) throw new Error(`the server answered ${JSON.stringify(result.statuses)}`);
  return result;
}
