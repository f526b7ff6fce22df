import type { Posthorn } from "@posthorn/core";
import { createDirectClient, type DirectClient } from "@posthorn/http/direct-client";
import type { Api } from "./api.ts";
import { operatorName } from "./operator-call.ts";

/** The API of the service in this process, past HTTP. */
export function connectDirectly(posthorn: Posthorn): Api {
  return apiOf(createDirectClient(posthorn, { operator: operatorName() }));
}

function apiOf(client: DirectClient): Api {
  return {
    kind: "database",
    isKey: false,
    request: client.request,
    dryRun: client.dryRun,
    download: client.download,
    on: (workspaceId) => apiOf(client.with({ workspaceId })),
  };
}
