import type { InboundEndpoint, InboundProvider } from "../../ports/storage/inbound-endpoints.ts";

/** A place that a relay's webhooks come to, without its path and its secret (platform.md P7). */
export interface InboundEndpointView {
  /** The endpoint's id, a UUID. */
  id: string;
  /** Whose calls it takes. */
  provider: InboundProvider;
  /** ms since the epoch. */
  createdAt: number;
}

export const viewEndpoint = ({ id, provider, createdAt }: InboundEndpoint): InboundEndpointView => ({
  id,
  provider,
  createdAt,
});

/** Ties a sealed secret to its endpoint. */
export const endpointSecretContext = (id: string): string => `inbound_endpoints:secret:${id}`;
