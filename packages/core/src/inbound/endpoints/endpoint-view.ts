import type { InboundEndpoint, InboundProvider } from "../../ports/storage.ts";

/** An endpoint for a relay's webhooks, without its path and its secret (platform.md P7). */
export interface InboundEndpointView {
  /** The endpoint's id, a UUID. */
  id: string;
  /** The provider whose requests it accepts. */
  provider: InboundProvider;
  /** ms since the epoch. */
  createdAt: number;
}

export const viewEndpoint = ({ id, provider, createdAt }: InboundEndpoint): InboundEndpointView => ({
  id,
  provider,
  createdAt,
});

/** Context that binds a sealed secret to its endpoint. */
export const endpointSecretContext = (id: string): string => `inbound_endpoints:secret:${id}`;
