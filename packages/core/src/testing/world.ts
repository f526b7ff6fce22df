import type { UserCaller } from "../calls/caller.ts";
import { undeclared } from "../calls/refusals.ts";
import { type Logger, silentLogger } from "../ports/logger.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Role, Storage } from "../ports/storage.ts";
import { assertStorage } from "../service/assert-storage.ts";
import type { PosthornOptions, WorkspaceGiven } from "../service/options.ts";
import { createService, type Posthorn } from "../service/service.ts";
import type { UserCallOptions, WorkspaceCallOptions } from "../verbs/index.ts";
import { createFixedClock, type FixedClock } from "./fixed-clock.ts";
import { lendInlineThread } from "./lend-inline-thread.ts";
import { createMemoryDns, type MemoryDns } from "./memory-dns.ts";
import { createMemoryHttpSender, type MemoryHttpSender } from "./memory-http-sender.ts";
import { createMemoryMailer, type MemoryMailer } from "./memory-mailer.ts";
import { createQuickKeyPair } from "./quick-key-pair.ts";
import { quickPasswordCost } from "./quick-password-cost.ts";

/** A service on a fixed clock, with mail and network in memory, and functions that create what tests need. */
export interface World<M extends Mailer = MemoryMailer, Tx = never, Given extends "workspace" = never> {
  /** The service, migrated and not started: `drain()` delivers what is due. */
  posthorn: Posthorn<Tx, Given>;
  /** The given storage, on the world's clock. */
  storage: Storage<Tx>;
  /** The clock, which stands still until it is set. */
  clock: FixedClock;
  /** The given mailer, or one that keeps mail in memory. */
  mailer: M;
  /** What webhooks are posted to. */
  http: MemoryHttpSender;
  /** The DNS records that domain checks find. */
  dns: MemoryDns;
  /**
   * Adds a user with a verified address; returns the caller. It is written directly to the storage, without a password.
   */
  addUser(
    this: void,
    options?: {
      name?: string | undefined;
      email?: string | undefined;
      verified?: boolean | undefined;
      admin?: boolean | undefined;
    },
  ): Promise<UserCaller>;
  /** Adds a workspace with its owner; returns it with call options: `posthorn.templates.list({}, workspace.asOwner)`. */
  addWorkspace(
    this: void,
    options?: {
      name?: string | undefined;
      owner?: UserCaller | undefined;
    },
  ): Promise<TestWorkspace>;
  /** Closes the service and the storage. */
  close(this: void): Promise<void>;
}

/** Call options for a service on any storage. */
export type TestCallOptions = WorkspaceCallOptions & UserCallOptions;

/** A workspace in a world, with the call options of its members. */
export interface TestWorkspace {
  /** Its number, for `workspaceId`. */
  id: number;
  /** Its owner, as a caller. */
  owner: UserCaller;
  /** Call options of its owner. */
  asOwner: TestCallOptions;
  /** Returns the call options of a user in this workspace, member or not. */
  as(this: void, user: UserCaller): TestCallOptions;
  /** Adds a user who is a member with the role; returns the caller, for `as`. */
  addMember(this: void, role: Exclude<Role, "owner">): Promise<UserCaller>;
}

/** Options of a world: those of a service, with clock and network under the tests' control. */
export interface WorldOptions<M extends Mailer = MemoryMailer>
  extends Partial<
    Omit<PosthornOptions, "storage" | "mailer" | "secretKey" | "clock" | "httpSender" | "dns">
  > {
  /** The secret key. Default: one that only tests use. */
  secretKey?: string | undefined;
  /** The mailer. Default: one that keeps mail in memory. A given one is not closed. */
  mailer?: M | undefined;
  /** The clock. Default: one that stands still until it is advanced. */
  clock?: FixedClock | undefined;
  /** Which clock the storage reports: the world's, or the storage's own. Default: the world's. */
  databaseClock?: "world" | "own" | undefined;
  /** The HTTP sender. Default: one that keeps requests in memory. */
  httpSender?: MemoryHttpSender | undefined;
  /** The DNS client. Default: one that keeps records in memory. */
  dns?: MemoryDns | undefined;
}

/** Returns the storage on the clock, as if that were the database's. */
function onClock<Tx>(storage: Storage<Tx>, clock: FixedClock): Storage<Tx> {
  const now = async (): Promise<number> => clock.now();
  return { ...storage, now, within: (transaction) => Object.assign(storage.within(transaction), { now }) };
}

/** A silent logger that makes a call fail if it is refused with a code that its use case does not declare. */
const strictLogger: Logger = {
  ...silentLogger,
  error(fields, message) {
    if (message === undeclared) throw new TypeError(`${message}: ${JSON.stringify(fields)}`);
  },
};

/** What makes a service cheap to create, for tests alone. */
const cheap = { passwordCost: quickPasswordCost, lendInlineThread };

/** The default secret key of worlds. */
export const worldSecretKey = "a secret key that only tests ever use, 0123456789";

/** Creates a world on a fresh storage. It migrates the storage, and closes it at the end. */
export function createWorld<M extends Mailer = MemoryMailer, Tx = never>(
  storage: Storage<Tx>,
  options?: WorldOptions<M> & { workspace?: undefined },
): Promise<World<M, Tx>>;
/**
 * Creates a world with one workspace, as of a host with a single tenant: calls need not name it. It migrates the
 * storage, and closes it at the end.
 */
export function createWorld<M extends Mailer = MemoryMailer, Tx = never>(
  storage: Storage<Tx>,
  options: WorldOptions<M> & WorkspaceGiven,
): Promise<World<M, Tx, "workspace">>;
/** Creates a world from options of which the types don't tell whether they name an only workspace. */
export function createWorld<M extends Mailer = MemoryMailer, Tx = never>(
  storage: Storage<Tx>,
  options?: WorldOptions<M>,
): Promise<World<M, Tx>>;
/** The overloads' implementation. */
export async function createWorld<M extends Mailer = MemoryMailer, Tx = never>(
  storage: Storage<Tx>,
  options: WorldOptions<M> = {},
): Promise<World<M, Tx>> {
  assertStorage(storage);
  await storage.migrate();
  const { databaseClock, ...given } = options;
  const { clock = createFixedClock(), secretKey = worldSecretKey } = given;
  // Without a given mailer, M is its default.
  const mailer = (options.mailer ?? createMemoryMailer()) as M;
  const { httpSender: http = createMemoryHttpSender(), dns = createMemoryDns() } = options;
  const timed = databaseClock === "own" ? storage : onClock(storage, clock);
  const all: PosthornOptions<Tx> = {
    ...given,
    secretKey,
    defaultSender: given.defaultSender ?? "Posthorn <no-reply@posthorn.example>",
    random: given.random ?? (() => 0.5),
    createKeyPair: given.createKeyPair ?? createQuickKeyPair,
    storage: timed,
    mailer,
    clock,
    httpSender: http,
    dns,
  };
  const posthorn = createService(all, given.logger === undefined ? { ...cheap, strictLogger } : cheap);
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
