import { randomUUID } from "node:crypto";
import type { Storage } from "@posthorn/core";
import { createWorld, type World, type WorldOptions } from "@posthorn/core/testing";
import { createPosthornServer, type PosthornServer, type ServerOptions } from "@posthorn/http";
import { createJwtSigner } from "../../core/src/identity/adapters/jwt.ts";
import { createPasswordHasher } from "../../core/src/identity/adapters/password-hasher.ts";
import { createSecretBox } from "../../core/src/rules/secret-box.ts";
import { quickPasswordCost } from "../../core/src/testing/quick-password-cost.ts";
import { worldSecretKey } from "../../core/src/testing/world.ts";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { createKeepAliveClient } from "./keep-alive-client.ts";

/** A listening server on a real service, with functions that call it. */
export interface TestServer {
  world: World;
  server: PosthornServer;
  url: string;
  port: number;
  /** Creates a person who is logged in. */
  logIn(options?: { admin?: boolean; verified?: boolean }): Promise<Login>;
  /** Calls a path below `/api/v1`. */
  ask(signature: string, options?: Ask): Promise<Answer>;
  close(): Promise<void>;
}

export interface Login {
  token: string;
  userId: number;
  email: string;
}

export interface Ask {
  token?: string;
  workspace?: number | string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
  text: string;
}

export interface Body {
  success?: boolean;
  data?: Fields & Fields[];
  pagination?: Record<string, number>;
  error?: { code: string; message: string; details?: { path: string; message: string }[] };
  request_id?: string;
}

export type Fields = Record<string, string & number & boolean & Record<string, unknown>>;

/** Password of all persons. */
export const password = "correct horse battery staple";

const hasher = createPasswordHasher({ cost: quickPasswordCost });
let passwordHash: Promise<string> | undefined;

/** Starts a server on a free port of loopback, for a service on the storage; default SQLite in memory. */
export async function startServer(
  options: ServerOptions = {},
  openStorage: () => Promise<Storage> = () => openTestSqlite(),
  worldOptions: WorldOptions = {},
): Promise<TestServer> {
  const world = await createWorld(await openStorage(), worldOptions);
  const server = createPosthornServer(world.posthorn, options);
  const { url, port } = await server.listen(0);
  const client = createKeepAliveClient();
  const { secretKey = worldSecretKey } = worldOptions;
  const signer = createJwtSigner(createSecretBox(secretKey).jwtKey);

  async function ask(signature: string, { token, workspace, body, headers = {} }: Ask = {}): Promise<Answer> {
    const [method = "GET", path = ""] = signature.split(" ");
    const response = await client.send(
      `${url}${path.startsWith("/api") ? "" : "/api/v1"}${path}`,
      method,
      {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(workspace === undefined ? {} : { "x-service-workspace-id": String(workspace) }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    );
    return { ...response, body: parse(response.text) };
  }

  return {
    world,
    server,
    url,
    port,
    async logIn({ admin = false, verified = true } = {}) {
      const user = await world.addUser({ admin, verified });
      passwordHash ??= hasher.hash(password);
      await world.storage.users.update(user.userId, { passwordHash: await passwordHash });
      // Like a login, without the check of the password, which is deliberately slow and has tests of its own.
      const [sessionId, issuedAt] = [randomUUID(), world.clock.now()];
      const expiresAt = issuedAt + 24 * 60 * 60_000;
      await world.storage.sessions.insert({
        id: sessionId,
        userId: user.userId,
        userAgent: "",
        ipAddress: "",
        createdAt: issuedAt,
        expiresAt,
      });
      const token = await signer.sign({ userId: user.userId, sessionId, issuedAt, expiresAt });
      return { token, userId: user.userId, email: user.email };
    },
    ask,
    async close() {
      client.close();
      await server.stop({ timeoutMs: 1_000, idleMs: 0 });
      await world.close();
    },
  };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}
