import type { Repositories } from "../../ports/storage.ts";
import { deferItems } from "./defer-items.ts";
import {
  type Accepted,
  idempotencyKeptFor,
  isLimited,
  type Order,
  type OrderOutcome,
  usageOf,
} from "./order.ts";

/**
 * What comes of each order: whether its keys were used before, and whether its plan has room. Takes keys and room for those that are
 * accepted. Runs in the transaction that records them.
 */
export async function decideOrders(storage: Repositories, orders: Order[]): Promise<OrderOutcome[]> {
  const outcomes = new Map<Order, OrderOutcome>();
  const isOpen = (order: Order): boolean => (outcomes.get(order)?.kind ?? "accepted") === "accepted";
  await takeKeys(storage, orders, outcomes);
  await takeDedupeKeys(storage, orders.filter(isOpen), outcomes);
  await charge(
    storage,
    orders.filter((order) => isOpen(order) && isLimited(order)),
    outcomes,
  );
  return orders.map((order) => outcomes.get(order) ?? acceptedWhole(order));
}

const acceptedWhole = (order: Order): Accepted => ({
  kind: "accepted",
  items: order.items,
  duplicates: new Map(),
});

/** The part of an order that is accepted as far as it is decided. */
const soFar = (order: Order, outcomes: Map<Order, OrderOutcome>): Accepted => {
  const outcome = outcomes.get(order);
  return outcome?.kind === "accepted" ? outcome : acceptedWhole(order);
};

async function takeKeys(
  storage: Repositories,
  orders: Order[],
  outcomes: Map<Order, OrderOutcome>,
): Promise<void> {
  const keyed = orders.flatMap((order) =>
    order.idempotency === undefined ? [] : [{ order, ...order.idempotency }],
  );
  const first = keyed[0];
  if (first === undefined) return;
  const kept = await storage.idempotencyKeys.reserve(
    // The answer follows with what is recorded.
    keyed.map(({ order, apiKeyId, key, bodyDigest }) => ({
      apiKeyId,
      key,
      bodyDigest,
      answer: "",
      createdAt: order.now,
    })),
    first.order.now - idempotencyKeptFor,
  );
  for (const [index, { order, bodyDigest }] of keyed.entries()) {
    const former = kept[index];
    if (former !== undefined) outcomes.set(order, keyOutcome(bodyDigest, former));
  }
}

/** What comes of a request whose key was used before. */
export const keyOutcome = (
  bodyDigest: string,
  former: { bodyDigest: string; answer: string },
): Extract<OrderOutcome, { kind: "replayed" | "reused" }> =>
  former.bodyDigest === bodyDigest ? { kind: "replayed", answer: former.answer } : { kind: "reused" };

/** Leaves out the e-mails whose dedupe key another has. */
async function takeDedupeKeys(
  storage: Repositories,
  orders: Order[],
  outcomes: Map<Order, OrderOutcome>,
): Promise<void> {
  const keyed = orders.flatMap((order) =>
    order.items.flatMap(({ email, dedupeKey }) =>
      dedupeKey === undefined
        ? []
        : [{ workspaceId: order.workspaceId, key: dedupeKey, emailId: email.id, createdAt: order.now }],
    ),
  );
  if (keyed.length === 0) return;
  const firsts = await storage.dedupeKeys.reserve(keyed);
  const taken = new Map(
    keyed.flatMap(({ emailId }, index) => {
      const first = firsts[index];
      return first === undefined ? [] : [[emailId, first] as const];
    }),
  );
  if (taken.size === 0) return;
  for (const order of orders) {
    const items = order.items.filter(({ email }) => !taken.has(email.id));
    if (items.length === order.items.length) continue;
    const duplicates = new Map(
      order.items.flatMap(({ email: { id } }) => {
        const first = taken.get(id);
        return first === undefined ? [] : [[id, first] as const];
      }),
    );
    outcomes.set(order, { kind: "accepted", items, duplicates });
    // What is answered by another e-mail is asked for again, and not kept.
    if (items.length === 0 && order.idempotency && order.batchOf === undefined)
      await storage.idempotencyKeys.release([order.idempotency]);
  }
}

async function charge(
  storage: Repositories,
  limited: Order[],
  outcomes: Map<Order, OrderOutcome>,
): Promise<void> {
  const orders = limited.filter((order) => soFar(order, outcomes).items.length > 0);
  if (orders.length === 0) return;
  const usages = await storage.usage.reserve(
    orders.map((order) => usageOf(order, soFar(order, outcomes).items)),
  );
  for (const [index, order] of orders.entries()) {
    const usage = usages[index];
    if (usage === undefined || usage.allowed) continue;
    const isDeferred = order.whenLimited === "defer";
    const accepted = soFar(order, outcomes);
    const items = isDeferred ? await deferItems(storage, order, accepted.items) : undefined;
    if (items === undefined) {
      outcomes.set(order, isDeferred ? { kind: "never_opens" } : { kind: "over_limit", usage });
      await giveBack(storage, order);
      continue;
    }
    outcomes.set(order, { ...accepted, items });
  }
}

/** Gives back what an order took that came to nothing. */
async function giveBack(storage: Repositories, { workspaceId, items, idempotency }: Order): Promise<void> {
  if (idempotency !== undefined) await storage.idempotencyKeys.release([idempotency]);
  await storage.dedupeKeys.release(
    items.flatMap(({ email, dedupeKey }) =>
      dedupeKey === undefined ? [] : [{ workspaceId, key: dedupeKey, emailId: email.id }],
    ),
  );
}
