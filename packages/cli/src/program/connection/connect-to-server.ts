import { type Client, createClient, type RouteSignature } from "@posthorn/client";
import { CliError } from "../errors/cli-error.ts";
import type { Profile } from "../settings/profiles.ts";
import type { Api } from "./api.ts";
import { followServer } from "./follow-server.ts";

/**
 * Connects the API to a server over HTTP, with the profile's credentials. Once the signal aborts, nothing that is only
 * read is waited for any longer. A change is: nobody would know whether it was made.
 */
export function connectToServer(name: string, profile: Profile, signal?: AbortSignal): Api {
  const { url, api_key: apiKey, token } = profile;
  return apiOf({ name, profile, signal }, createClient(url, { apiKey, token }));
}

/** It reads a campaign's whole list, of which a million recipients take minutes. */
const longRoute = "POST /workspaces/current/campaigns/{id}/check";
const longMs = 600_000;

interface Connection {
  name: string;
  profile: Profile;
  signal: AbortSignal | undefined;
}

function apiOf(connection: Connection, client: Client): Api {
  const { name, profile, signal } = connection;
  const request: Client["request"] = (signature, ...rest) => {
    assertCredential(name, profile, signature);
    if (signature === longRoute) return client.with({ timeoutMs: longMs }).request(signature, ...rest);
    // What is read after the end was asked for tells how it ended.
    if (!signature.startsWith("GET ") || signal?.aborted === true) return client.request(signature, ...rest);
    const [fields = {}, options] = rest;
    return client.request(signature, ...([fields, { signal, ...options }] as typeof rest));
  };
  const dryRun: Client["dryRun"] = (signature, ...rest) => {
    assertCredential(name, profile, signature);
    return client.dryRun(signature, ...rest);
  };
  const download: Client["download"] = (signature, ...rest) => {
    assertCredential(name, profile, signature);
    return client.download(signature, ...rest);
  };
  return {
    kind: "server",
    isKey: profile.token === undefined,
    request,
    dryRun,
    download,
    follow: (following) => {
      assertCredential(name, profile, "GET /admin/events");
      return followServer(client, following);
    },
    on: (workspaceId) => apiOf(connection, client.with({ workspaceId })),
  };
}

/** It takes a key, too: a mail server's pipe can't log in every day. */
const eitherRoute = "POST /workspaces/current/inbound";

/** Checked before the request, because the server could only say that the caller is not authenticated. */
function assertCredential(name: string, { api_key: key, token }: Profile, signature: RouteSignature): void {
  if (signature === eitherRoute && key !== undefined) return;
  const needsKey = / \/(emails|attachments)\b/.test(signature);
  if (needsKey && key === undefined)
    throw new CliError(
      "not_allowed",
      `Sending needs an API key, and the profile "${name}" has none.`,
      `Add one: posthorn profiles add ${name} --key-stdin < key.txt`,
    );
  if (!needsKey && !/ \/auth\//.test(signature) && token === undefined)
    throw new CliError(
      "not_allowed",
      `This needs a login, and the profile "${name}" has none.`,
      `Log in: posthorn profiles login ${name} --email you@example.com`,
    );
}
