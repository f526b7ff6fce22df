import type { UserCaller } from "../calls/caller.ts";
import { undeclared } from "../calls/refusals.ts";
import { type Logger, silentLogger } from "../ports/logger.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Role, Storage } from "../ports/storage.ts";
import type { PosthornOptions } from "../service/options.ts";
import { createPosthorn, type Posthorn } from "../service/service.ts";
import type { UserCallOptions, WorkspaceCallOptions } from "../verbs/index.ts";
import { createFixedClock, type FixedClock } from "./fixed-clock.ts";
import { createMemoryDns, type MemoryDns } from "./memory-dns.ts";
import { createMemoryHttpSender, type MemoryHttpSender } from "./memory-http-sender.ts";
import { createMemoryMailer, type MemoryMailer } from "./memory-mailer.ts";
import { createQuickKeyPair } from "./quick-key-pair.ts";

/** A service on a fixed clock, with mail and network in memory, and builders for what tests need first. */
export interface World<M extends Mailer = MemoryMailer, Tx = never> {
  posthorn: Posthorn<Tx>;
  storage: Storage<Tx>;
  clock: FixedClock;
  /** The one given; else one that keeps mail in memory. */
  mailer: M;
  http: MemoryHttpSender;
  dns: MemoryDns;
  /** A person with a verified address, as a caller. Written straight to the storage: no password works. */
  addUser(options?: {
    name?: string;
    email?: string;
    verified?: boolean;
    admin?: boolean;
  }): Promise<UserCaller>;
  /** A workspace with its owner, and how to call it: `posthorn.templates.list({}, workspace.asOwner)`. */
  addWorkspace(options?: { name?: string; owner?: UserCaller }): Promise<TestWorkspace>;
  close(): Promise<void>;
}

/** Call options that fit a service on any storage. */
export type TestCallOptions = WorkspaceCallOptions & UserCallOptions;

/** A workspace in a world, and how to call as its people. */
export interface TestWorkspace {
  id: number;
  owner: UserCaller;
  asOwner: TestCallOptions;
  /** Call options of a user in this workspace, member or not. */
  as(user: UserCaller): TestCallOptions;
  /** A new member with the role. */
  addMember(role: Exclude<Role, "owner">): Promise<UserCaller>;
}

/** Options of a world: those of a service, whose clock and network tests can move. */
export interface WorldOptions<M extends Mailer = MemoryMailer>
  extends Partial<Omit<PosthornOptions, "storage" | "mailer" | "clock" | "httpSender" | "dns">> {
  /** Default: one that keeps mail in memory. One that is given stays open. */
  mailer?: M;
  /** Default: one that stands still until it is moved. */
  clock?: FixedClock;
  /** Whose clock the storage tells: the world's, or the storage's own. Default: the world's. */
  databaseClock?: "world" | "own";
  /** Default: one that keeps requests in memory. */
  httpSender?: MemoryHttpSender;
  /** Default: one that keeps records in memory. */
  dns?: MemoryDns;
}

/** Says nothing, but fails the call that is refused with a code that its use case does not declare. */
const strictLogger: Logger = {
  ...silentLogger,
  error(fields, message) {
    if (message === undeclared) throw new TypeError(`${message}: ${JSON.stringify(fields)}`);
  },
};

/** The secret key of every world that is given no other. */
export const worldSecretKey = "a secret key that only tests ever use, 0123456789";

/** Builds a world on a fresh storage, which it migrates and, at the end, closes. */
export async function createWorld<M extends Mailer = MemoryMailer, Tx = never>(
  storage: Storage<Tx>,
  options: WorldOptions<M> = {},
): Promise<World<M, Tx>> {
  await storage.migrate();
  const { clock = createFixedClock() } = options;
  // Without one, M is its default.
  const mailer = (options.mailer ?? createMemoryMailer()) as M;
  const { httpSender: http = createMemoryHttpSender() } = options;
  const { dns = createMemoryDns() } = options;
  // Its database's clock is the world's, unless a test says otherwise.
  const timed: Storage<Tx> =
    options.databaseClock === "own" ? storage : { ...storage, now: async () => clock.now() };
  const posthorn = createPosthorn({
    secretKey: worldSecretKey,
    defaultSender: "Posthorn <no-reply@posthorn.example>",
    random: () => 0.5,
    createKeyPair: createQuickKeyPair,
    logger: strictLogger,
    ...options,
    storage: timed,
    mailer,
    clock,
    httpSender: http,
    dns,
  });
  let count = 0;

  async function addUser({
    name,
    email,
    verified = true,
    admin = false,
  }: Parameters<World["addUser"]>[0] = {}): Promise<UserCaller> {
    count += 1;
    const now = clock.now();
    const user = await storage.users.insert({
      name: name ?? `User ${count}`,
      email: email ?? `user${count}@example.com`,
      passwordHash: "!",
      emailVerifiedAt: verified ? now : undefined,
      isAdmin: admin,
      isVouchedFor: true,
      createdAt: now,
    });
    const caller = await posthorn.findUser(user.id);
    if (caller === undefined) throw new Error("the user is gone");
    return caller;
  }

  async function addWorkspace({
    name,
    owner,
  }: Parameters<World["addWorkspace"]>[0] = {}): Promise<TestWorkspace> {
    const person = owner ?? (await addUser());
    const { id } = await posthorn.workspaces.create({ name: name ?? `Workspace ${++count}` }, { as: person });
    const as = (user: UserCaller): TestCallOptions => ({ as: user, workspaceId: id });
    return {
      id,
      owner: person,
      asOwner: as(person),
      as,
      async addMember(role) {
        const user = await addUser();
        await storage.members.insert({ workspaceId: id, userId: user.userId, role, createdAt: clock.now() });
        return user;
      },
    };
  }

  return {
    posthorn,
    storage: timed,
    clock,
    mailer,
    http,
    dns,
    addUser,
    addWorkspace,
    async close() {
      await posthorn.close();
      await storage.close();
    },
  };
}
