import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery as received. */
export interface ReceivedWebhook {
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** A webhook receiver on loopback. */
export interface WebhookReceiver {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a receiver that responds with 204 to everything. */
export async function startWebhookReceiver(
  onWebhook: (webhook: ReceivedWebhook) => void,
): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(204).end();
      onWebhook({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether `X-Service-Signature` is the HMAC-SHA256 of the raw body under the webhook's secret (service.md, Webhook deliveries). */
export function hasValidSignature({ headers, body }: ReceivedWebhook, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(String(headers["x-service-signature"] ?? ""));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
