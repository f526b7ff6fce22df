import type { SecretHolder } from "@posthorn/core/storage";
import { type Expression, sql } from "kysely";
import type { Handle } from "../../engine.ts";

/** Lists what has a secret whose sealed text does not begin with `prefix`, at most `limit` of each kind. */
export async function listSealedOtherwise(
  db: Handle,
  prefix: string,
  limit: number,
): Promise<SecretHolder[]> {
  const isOther = (sealed: Expression<string | null>) =>
    sql<boolean>`substr(${sealed}, 1, ${sql.lit(prefix.length)}) <> ${prefix}`;
  const webhooks = db
    .selectFrom("webhooks")
    .select(["uuid", "workspace_id", "url as name"])
    .where(({ ref }) => isOther(ref("secret")));
  const servers = db
    .selectFrom("smtp_servers")
    .select(["uuid", "workspace_id", "name"])
    .where(({ ref }) => isOther(ref("password")));
  const endpoints = db
    .selectFrom("inbound_endpoints")
    .select(["uuid", "workspace_id", "provider as name"])
    .where(({ ref }) => isOther(ref("secret")));
  const domains = db
    .selectFrom("domains")
    .select(["uuid", "workspace_id", "name"])
    .where("id", "in", (keys) =>
      keys
        .selectFrom("domain_keys")
        .select("domain_id")
        .where("private_key", "<>", "")
        .where(({ ref }) => isOther(ref("private_key"))),
    );
  const users = db
    .selectFrom("users")
    .select(["id", "email"])
    .where(({ ref }) => isOther(ref("totp_secret")));
  return [
    ...(await webhooks.orderBy("id").limit(limit).execute()).map(holderOf("webhook")),
    ...(await servers.orderBy("id").limit(limit).execute()).map(holderOf("smtp_server")),
    ...(await endpoints.orderBy("id").limit(limit).execute()).map(holderOf("inbound_endpoint")),
    ...(await domains.orderBy("id").limit(limit).execute()).map(holderOf("domain")),
    ...(await users.orderBy("id").limit(limit).execute()).map(userOf),
  ];
}

const holderOf =
  (kind: SecretHolder["kind"]) =>
  (row: { uuid: string; workspace_id: number; name: string }): SecretHolder => ({
    kind,
    id: row.uuid,
    workspaceId: row.workspace_id,
    name: row.name,
  });

const userOf = ({ id, email }: { id: number; email: string }): SecretHolder => ({
  kind: "user",
  id: String(id),
  workspaceId: undefined,
  name: email,
});
