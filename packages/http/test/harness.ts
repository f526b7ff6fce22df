import type { Storage } from "@posthorn/core";
import type { WorldOptions } from "@posthorn/core/testing";
import { createOpenApi, type Route, routes, type ServerOptions } from "@posthorn/http";
import { expect } from "vitest";
import { type Answer, type Login, startServer, type TestServer } from "./start-server.ts";

/** The caller: a person, an API key, or nobody. */
export type As = Login | string | undefined;

export interface CallOptions {
  as?: As;
  /** Workspace to call. Default: the house's, for paths below `/workspaces/current`. */
  workspace?: number | string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A server with a workspace and a member in each role. */
export interface House extends TestServer {
  workspace: number;
  owner: Login;
  admin: Login;
  editor: Login;
  viewer: Login;
  /** A person who is logged in, and not a member. */
  stranger: Login;
  /** An administrator of the platform. */
  administrator: Login;
  /**
   * Calls a route below `/api/v1`, and checks the response against the document: its status must be declared, and its
   * body must have exactly the fields of the schema.
   */
  call(signature: string, options?: CallOptions): Promise<Answer>;
  /** Creates another workspace of the owner. */
  makeWorkspace(owner: Login, name?: string): Promise<number>;
  /** Creates an API key of the workspace; returns the key. */
  makeKey(options?: { workspace?: number; as?: Login }): Promise<string>;
  /** Logs in a person who joined the house's workspace. */
  join(role: "admin" | "editor" | "viewer"): Promise<Login>;
}

const document = createOpenApi(routes);

/** Starts a server on a storage, with a workspace. */
export async function openHouse(
  openStorage: () => Promise<Storage>,
  options: ServerOptions = {},
  worldOptions: WorldOptions = {},
): Promise<House> {
  const server = await startServer(options, openStorage, worldOptions);
  const { world, ask, logIn } = server;

  async function call(signature: string, { as, workspace, body, headers }: CallOptions = {}) {
    const token = typeof as === "object" ? as.token : as;
    const inWorkspace = signature.includes(" /workspaces/current")
      ? (workspace ?? house.workspace)
      : workspace;
    const answer = await ask(signature, {
      ...(token === undefined ? {} : { token }),
      ...(inWorkspace === undefined ? {} : { workspace: inWorkspace }),
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    });
    assertDocumented(signature, answer);
    return answer;
  }

  async function makeWorkspace(owner: Login, name = "Acme"): Promise<number> {
    const made = await call("POST /workspaces", { as: owner, body: { name } });
    expect(made.status).toBe(201);
    return Number(made.body.data?.["id"]);
  }

  async function join(role: "admin" | "editor" | "viewer"): Promise<Login> {
    const login = await logIn();
    const createdAt = world.clock.now();
    await world.storage.members.insert({
      workspaceId: house.workspace,
      userId: login.userId,
      role,
      createdAt,
    });
    return login;
  }

  const house = { ...server, call, makeWorkspace, join, workspace: 0 } as House;
  house.makeKey = async ({ workspace = house.workspace, as = house.owner } = {}) => {
    const made = await call("POST /workspaces/current/api-keys", { as, workspace, body: { name: "key" } });
    expect(made.status).toBe(201);
    return String(made.body.data?.["key"]);
  };
  house.owner = await logIn();
  house.stranger = await logIn();
  house.administrator = await logIn({ admin: true });
  house.workspace = await makeWorkspace(house.owner);
  for (const role of ["admin", "editor", "viewer"] as const) house[role] = await join(role);
  return house;
}

const fits = new Map(
  routes.map((route) => [route, new RegExp(`^${route.path.replace(/\{\w+\}/g, "[^/]+")}$`)]),
);

/** Returns the route of a request's method and path. */
export function routeOf(signature: string): Route | undefined {
  const [method, target = ""] = signature.split(" ");
  const path = target.split("?", 1)[0] ?? "";
  const fitting = routes.filter((route) => route.method === method && fits.get(route)?.test(path));
  // A fixed path takes precedence over one with parameters: `/invitations/accept`.
  return fitting.find((route) => !route.path.includes("{")) ?? fitting[0];
}

/** Header fields that the document tells of where a response may have them. */
const documentedHeaders = [
  "content-disposition",
  "idempotent-replayed",
  "posthorn-deduplicated",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "www-authenticate",
];

/** Checks a response against the document. */
export function assertDocumented(signature: string, { status, headers, body, text }: Answer): void {
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{1,128}$/);
  const route = routeOf(signature);
  if (route === undefined) return;
  const operation = document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()];
  expect(Object.keys(operation?.responses ?? {}), `${signature} → ${text}`).toContain(String(status));
  const said = operation?.responses[String(status)];
  const answer =
    said !== undefined && "$ref" in said
      ? document.components.responses[said.$ref.split("/").at(-1) ?? ""]
      : said;
  const told = Object.keys(answer?.headers ?? {}).map((name) => name.toLowerCase());
  expect(told, `${signature} → ${status}`).toEqual(
    expect.arrayContaining(documentedHeaders.filter((name) => headers.has(name))),
  );
  if (status >= 400) {
    assertRefusal({ status, headers, body, text });
    const codes = Object.keys(answer?.content?.["application/json"]?.examples ?? {});
    expect(codes, `${signature} → ${text}`).toContain(body.error?.code);
  } else if (route.envelope === "none") {
    expect([status, text]).toEqual([204, ""]);
  } else if (route.envelope === "file") {
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="/);
  } else {
    const { dryRun } = route;
    const isTried = dryRun !== undefined && signature.endsWith("?dry_run=true");
    assertEnvelope(isTried ? { ...route, reply: dryRun.reply } : route, body);
  }
}

function assertEnvelope(route: Route, body: Answer["body"]): void {
  const keys = {
    data: ["data"],
    success: ["data", "success"],
    page: ["data", "pagination", "success"],
    none: [],
  };
  expect(Object.keys(body).toSorted()).toEqual(keys[route.envelope as keyof typeof keys]);
  if (route.envelope !== "data") expect(body.success).toBe(true);
  for (const value of route.envelope === "page" ? (body.data ?? []) : [body.data]) {
    // Parsing drops fields that the schema doesn't know, so equality shows that there were none.
    expect(value).toEqual(route.reply.schema.parse(value));
  }
}

function assertRefusal({ headers, body, status }: Answer): void {
  expect(Object.keys(body).toSorted()).toEqual(["error", "request_id", "success"]);
  expect([body.success, body.request_id]).toEqual([false, headers.get("x-request-id")]);
  expect(body.error?.code).toMatch(/^[a-z_]+$/);
  expect(body.error?.message).not.toBe("");
  if (status === 401) expect(headers.get("www-authenticate")).toMatch(/^(?:Bearer|Basic realm="Posthorn")$/);
  if (status === 429 || status === 503) expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
}

/** Returns a refusal's status and code, to compare with the table of errors. */
export const refusal = ({ status, body }: Answer): [number, string | undefined] => [status, body.error?.code];

/** Returns the names of the fields in a 400. */
export const faultyFields = ({ status, body }: Answer): [number, string[]] => [
  status,
  (body.error?.details ?? []).map(({ path }) => path).toSorted(),
];

/** Returns the token in the link of the newest mail to the address. */
export async function mailedToken(house: House, to: string, subject: RegExp): Promise<string> {
  await house.world.posthorn.drain();
  const mail = house.world.mailer.inbox
    .all()
    .findLast(
      (each) =>
        each.envelope.to.some((one) => one.toLowerCase() === to.toLowerCase()) && subject.test(each.subject),
    );
  const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`no mail with a token to ${to}`);
  return token;
}
