import type { InboundEndpoint, InboundEndpoints } from "@posthorn/core/storage";
import { brief } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import type { Row } from "../../tables.ts";

const findByToken = prepared(
  (db, { tokenDigest }: { tokenDigest: string }) =>
    db.selectFrom("inbound_endpoints").selectAll().where("token_digest", "=", tokenDigest),
  brief,
);

/** Endpoints for relays' reports. */
export const createInboundEndpointsRepository = (db: Handle, engine: Engine): InboundEndpoints => ({
  async insert(endpoint) {
    await db
      .insertInto("inbound_endpoints")
      .values({
        uuid: endpoint.id,
        workspace_id: endpoint.workspaceId,
        provider: endpoint.provider,
        token_digest: endpoint.tokenDigest,
        secret: endpoint.secret ?? null,
        created_at: endpoint.createdAt,
      })
      .execute();
  },
  async findByToken(tokenDigest) {
    const [row] = await findByToken(db, engine, { tokenDigest });
    return row && toEndpoint(row);
  },
  list(workspaceId, slice) {
    const rows = db.selectFrom("inbound_endpoints").where("workspace_id", "=", workspaceId);
    return listById(rows.selectAll(), slice, {
      holder: workspaceId,
      toItem: toEndpoint,
      count: () => countOf(rows, { holder: workspaceId }),
    });
  },
  async delete(workspaceId, id) {
    const row = await db
      .deleteFrom("inbound_endpoints")
      .where("workspace_id", "=", workspaceId)
      .where("uuid", "=", id)
      .returningAll()
      .executeTakeFirst();
    return row && toEndpoint(row);
  },
});

const toEndpoint = (row: Row<"inbound_endpoints">): InboundEndpoint => ({
  id: row.uuid,
  workspaceId: row.workspace_id,
  provider: row.provider as InboundEndpoint["provider"],
  secret: row.secret ?? undefined,
  createdAt: row.created_at,
});
