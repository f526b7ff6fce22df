import type { Permission } from "@posthorn/core";
import { permissions } from "@posthorn/core/internal";
import { type Route, routes } from "@posthorn/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { exampleBody } from "./example-body.ts";
import { type As, type House, openHouse } from "./harness.ts";

const roles = ["owner", "admin", "editor", "viewer"] as const;
const identities = [...roles, "stranger", "administrator", "anonymous", "api key"] as const;
type Identity = (typeof identities)[number];

/** Error codes of denied access. */
const closed = [
  "unauthenticated",
  "not_a_member",
  "forbidden",
  "administrator_required",
  "workspace_required",
];

/** Bodies that would be accepted and end the workspace, changed so that they don't. */
const harmless: Record<string, Record<string, unknown>> = {
  "DELETE /workspaces/current": { name: "not its name" },
  "POST /workspaces/current/transfer-ownership": { user_id: 999_999 },
};

/** Returns why an access is denied to an identity; `undefined` if it is allowed (decisions §3). */
function refusalOf({ access, takesKey }: Route, identity: Identity): string | undefined {
  const isPerson = identity !== "anonymous" && identity !== "api key";
  if (access === "anonymous") return undefined;
  if (access === "api_key") return identity === "api key" ? undefined : "unauthenticated";
  if (takesKey && identity === "api key") return undefined;
  if (!isPerson) return "unauthenticated";
  if (access === "user") return undefined;
  if (access === "administrator") return identity === "administrator" ? undefined : "administrator_required";
  const role = roles.find((each) => each === identity);
  if (role === undefined) return "not_a_member";
  // The removed member matters: removing others requires a manager.
  const permission: Permission = access === "members:remove" ? "members:write" : access;
  return (permissions[permission] as readonly string[]).includes(role) ? undefined : "forbidden";
}

// reliability.md, threat 5: every route × every identity. Which engine finds the role makes no difference: storages have their contract.
describe.each(engines.slice(0, 1))("permissions on $name", ({ open }) => {
  let house: House;
  let key: string;
  beforeAll(async () => {
    house = await openHouse(open);
    key = await house.makeKey();
  });
  afterAll(() => house.close());

  const callerOf = (identity: Identity): As =>
    identity === "anonymous" ? undefined : identity === "api key" ? key : house[identity];

  // Routes that end sessions run last.
  const ordered: readonly Route[] = [...routes].toSorted(
    (a, b) => Number(a.path.includes("logout")) - Number(b.path.includes("logout")),
  );

  test.each(ordered.map((route) => [route.signature, route] as const))("%s", async (_, route) => {
    const target = route.path
      .replace("{member_id}", "999999")
      .replace("{position}", "0")
      .replace(/\/(plans|users|workspaces|invitations)\/\{\w+\}/, "/$1/999999")
      .replace(/\{\w+\}/g, "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f");
    const body = harmless[route.signature] ?? exampleBody(route);
    const seen: Record<string, string | undefined> = {};
    const wanted: Record<string, string | undefined> = {};
    for (const identity of identities) {
      const answer = await house.call(`${route.method} ${target}`, {
        as: callerOf(identity),
        workspace: house.workspace,
        ...(body === undefined ? {} : { body }),
      });
      const code = answer.body.error?.code;
      seen[identity] = code !== undefined && closed.includes(code) ? `${answer.status} ${code}` : undefined;
      const refused = refusalOf(route, identity);
      wanted[identity] =
        refused === undefined ? undefined : `${refused === "unauthenticated" ? 401 : 403} ${refused}`;
    }
    expect(seen).toEqual(wanted);
  });
});
