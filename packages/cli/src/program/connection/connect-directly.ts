import type { Posthorn } from "@posthorn/core";
import { createDirectClient, type DirectClient } from "@posthorn/http/direct-client";
import { eventWire } from "@posthorn/http/wire";
import { followThroughFailures } from "../../service/follow-through-failures.ts";
import type { Api, FollowedEvent, Following } from "./api.ts";
import { operatorName } from "./operator-call.ts";
import { gapWords } from "./passing-failures.ts";

/** Connects the API to the service in this process, without HTTP. */
export function connectDirectly(posthorn: Posthorn): Api {
  return apiOf(posthorn, createDirectClient(posthorn, { operator: operatorName() }));
}

function apiOf(posthorn: Posthorn, client: DirectClient): Api {
  return {
    kind: "database",
    isKey: false,
    request: client.request,
    dryRun: client.dryRun,
    download: client.download,
    follow: (following) => follow(posthorn, following),
    on: (workspaceId) => apiOf(posthorn, client.with({ workspaceId })),
  };
}

async function* follow(
  posthorn: Posthorn,
  { workspace_id: workspace, waits, tell, ...rest }: Following,
): AsyncGenerator<FollowedEvent, void, undefined> {
  const missed = (upTo: number) => tell(gapWords(upTo));
  const wanted = { ...rest, workspaceId: workspace ?? ("all" as const), missed };
  const events = waits
    ? followThroughFailures(posthorn, { ...wanted, tell })
    : posthorn.followEvents({ ...wanted, waits });
  for await (const event of events) yield eventWire.from(event);
}
