// Printed by `npm run docs:routes` from the table of routes.
import type { InboundFed, InboundReceived } from "./schemas.ts";

/** Lines of the contract about inbound. */
export interface InboundLines {
  /** Receive a relay's webhook. */
  "POST /inbound/{provider}/{token}": {
    fields: {
      /** The provider of the webhook. */
      provider: string | number;
      /** The secret part of the endpoint's path. */
      token: string | number;
      /** The file. */
      content: Uint8Array<ArrayBuffer> | Blob | AsyncIterable<Uint8Array>;
      /** Its media type. Default: by the name's extension. */
      content_type?: string | undefined;
      /** Bytes, where a stream's are known beforehand. */
      size?: number | undefined;
    };
    reply: InboundReceived;
  };
  /** Submit a bounce or complaint message with a login or an API key. */
  "POST /workspaces/current/inbound": {
    fields: {
      /**
       * The returned message, unchanged: a notification of delivery (RFC 3464), a complaint (RFC 5965), or any other. At
       * most 1 MiB; bytes beyond ASCII as characters of Latin-1.
       */
      message: string;
    };
    reply: InboundFed;
  };
}
