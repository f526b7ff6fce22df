import { createServer, type IncomingMessage, type Server } from "node:http";
import { readWebhook, type WebhookEvent } from "@posthorn/client";

export interface ReceiverOptions {
  /** Signing secret `whsec_…`, from the response to the webhook's creation. */
  secret: string;
  /** Called once for each event, however often it is delivered; again if it throws. */
  onEvent(event: WebhookEvent): void;
}

/** Maximum bytes of a delivery, which anybody may send before the signature is known. */
const maxBytes = 1024 * 1024;

/**
 * Receives Posthorn's webhooks. Refuses deliveries without a valid signature or older than five minutes, and ignores
 * repeated ones. The headers follow Standard Webhooks, so that its libraries in other languages also verify them.
 */
export function createReceiver({ secret, onEvent }: ReceiverOptions): Server {
  // A real receiver stores them in its database, for a day.
  const seen = new Set<string>();
  const receive = async (request: IncomingMessage): Promise<204 | 401 | 413> => {
    // The raw bytes: a body that was parsed and serialised again has another signature.
    const body = await read(request);
    if (body === undefined) return 413;
    const event = await readWebhook({ secret, headers: request.headers, body });
    if (event === undefined) return 401;
    // A delivery may arrive more than once, always with the same id.
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) {
      onEvent(event);
      seen.add(id);
    }
    // Any 2xx acknowledges the delivery. Respond soon, and do slow work afterwards.
    return 204;
  };
  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status, status === 413 ? { connection: "close" } : {}).end(),
      // The sender hung up, or the event could not be handled: the delivery comes again.
      (error) => {
        console.error(error);
        response.writeHead(500).end();
      },
    );
  });
}

/** Reads the body; `undefined` if it is too long. */
async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    bytes += piece.length;
    if (bytes > maxBytes) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

if (import.meta.main) {
  const secret = process.env["WEBHOOK_SECRET"];
  if (secret === undefined) throw new Error("WEBHOOK_SECRET is not set");
  createReceiver({
    secret,
    onEvent: (event) => console.log(event.event, "email_id" in event ? event.email_id : ""),
  }).listen(3001, "127.0.0.1", () => console.log("Listening on http://127.0.0.1:3001"));
}
