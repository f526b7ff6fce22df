import { type FollowOptions, fieldError, ServiceError, type UserCaller } from "@posthorn/core";
import { parseInput, useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { headerOf, type WireRequest } from "../../contract/wire-request.ts";
import { findPerson, givenToken } from "../callers/authenticate.ts";
import { readQuery, readScalar } from "../requests/read-query.ts";
import type { ServedPosthorn } from "../served-posthorn.ts";

/** Parameters of an event stream's reader. */
export interface RequestedStream {
  /** Checks again whether the caller has the right. */
  authorise: () => Promise<UserCaller>;
  /** The service's own token, if that is what the caller came with: whoever comes with the same one has the same right. */
  login: string | undefined;
  caller: UserCaller;
  /** Id of the last event that the reader has. */
  after: number;
  /** The log's last event, if that is what the reader begins after and can't know. */
  position: number | undefined;
  /** Whether the stream waits for later events. */
  waits: boolean;
  filter: StreamFilter;
}

type StreamFilter = Pick<FollowOptions, "workspaceId" | "category" | "type" | "since">;

/**
 * Reads a request for the event stream; throws refusals. Credentials come in the header or, only here, in the query,
 * because browsers' EventSource can't set headers. Filters are those of the list of events.
 */
export async function readStreamRequest(
  posthorn: ServedPosthorn,
  request: WireRequest,
  query: string,
): Promise<RequestedStream> {
  const { token, last_event_id: lastInQuery, wait = "true", ...given } = readQuery(query);
  // Clients made from the OpenAPI document give all the credentials that it knows at once, the same token twice.
  const isOther = headerOf(request, "authorization") !== undefined && givenToken(request) !== token;
  if (token !== undefined && isOther) throw fieldError("token", "is not that of the Authorization header");
  const authorise = () => findAdministrator(posthorn, request, token);
  const caller = await authorise();
  const filter = readFilter(given);
  if (wait !== "true" && wait !== "false") throw fieldError("wait", "is neither true nor false");
  const last = headerOf(request, "last-event-id") || lastInQuery;
  if (last !== undefined && !/^\d{1,15}$/.test(last))
    throw fieldError("last_event_id", "is not an event's id");
  // Read before the answer begins: what is committed after a reader saw the answer must reach it.
  const call = { caller, client: { ip: request.ip, userAgent: "" }, workspaceId: undefined };
  const { lastId } = await posthorn.execute(useCases.events.getPosition, {}, call);
  // Of a log that was restored from a backup, a reader may have seen more than there is.
  const known = last === undefined && filter.since !== undefined ? 0 : Number(last ?? Number.NaN);
  return {
    authorise,
    login: ownToken(posthorn, request, token),
    caller,
    ...(known <= lastId ? { after: known, position: undefined } : { after: lastId, position: lastId }),
    waits: wait === "true",
    filter,
  };
}

const { category, type, since, workspaceId } = useCases.events.list.input.shape;
const filters = z.strictObject({ category, type, since, workspace_id: workspaceId });

function readFilter({ workspace_id: workspace, ...given }: Record<string, string>): StreamFilter {
  const inWorkspace =
    workspace === undefined ? {} : { workspace_id: readScalar({ kind: "integer" }, workspace) };
  const { workspace_id: id = "all" as const, ...filter } = parseInput(filters, { ...given, ...inWorkspace });
  return { ...filter, workspaceId: id };
}

function ownToken(
  posthorn: ServedPosthorn,
  request: WireRequest,
  token: string | undefined,
): string | undefined {
  const given = token ?? givenToken(request);
  return given !== undefined && posthorn.isOwnToken(given) ? given : undefined;
}

async function findAdministrator(
  posthorn: ServedPosthorn,
  request: WireRequest,
  token: string | undefined,
): Promise<UserCaller> {
  const { caller } = await findPerson(posthorn, request, token);
  if (!caller.isAdmin) throw new ServiceError("administrator_required");
  return caller;
}
