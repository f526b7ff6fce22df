import type { NewEvent } from "../../calls/outbox.ts";
import type { NewEmail } from "../../ports/storage/emails.ts";
import type { UsageOutcome, UsageRequest } from "../../ports/storage/plans.ts";
import type { NewContent } from "../../ports/storage/templates.ts";
import type { NewWebhookDelivery } from "../../ports/storage/webhooks.ts";
import type { Repositories, Topic } from "../../ports/storage.ts";

/** How long an answer is kept for a request that comes again, ms (decisions §7). */
export const idempotencyKeptFor = 24 * 60 * 60 * 1000;

/** An e-mail to be accepted. A content that is not kept yet is stored with it: else it could be cleaned up before the e-mail is there. */
export interface OrderedEmail extends Omit<NewEmail, "contentId"> {
  /** The id of a kept content, or a new one. */
  content: number | NewContent;
}

/** E-mails to be accepted together or not at all, with all that their acceptance writes. */
export interface Order {
  emails: OrderedEmail[];
  usage: UsageRequest;
  events: NewEvent[];
  deliveries: NewWebhookDelivery[];
  /** The key that asked, if its last use is to be noted. */
  usedKeyId: string | undefined;
  idempotency: { apiKeyId: string; key: string; bodyDigest: string; answer: string } | undefined;
  now: number;
}

export type OrderOutcome =
  | { kind: "accepted" }
  /** The same request came before: its answer. */
  | { kind: "replayed"; answer: string }
  /** Another request came with the same key. */
  | { kind: "reused" }
  | { kind: "over_limit"; usage: Extract<UsageOutcome, { allowed: false }> };

/**
 * Decides over a batch of orders and records those that are accepted, in the given transaction; each is accepted whole or leaves nothing.
 * No two may carry the same idempotency key.
 */
export async function acceptOrders(storage: Repositories, orders: Order[]): Promise<OrderOutcome[]> {
  const outcomes = await decide(storage, orders);
  const accepted = orders.filter((_, index) => outcomes[index]?.kind === "accepted");
  if (accepted.length > 0) await record(storage, accepted);
  return outcomes;
}

/** What comes of each order: whether its key was used before, and whether its plan has room. Takes both for those that are accepted. */
async function decide(storage: Repositories, orders: Order[]): Promise<OrderOutcome[]> {
  const outcomes = new Map<Order, OrderOutcome>();
  await takeKeys(storage, orders, outcomes);
  await charge(
    storage,
    orders.filter((order) => !outcomes.has(order) && isLimited(order)),
    outcomes,
  );
  return orders.map((order) => outcomes.get(order) ?? { kind: "accepted" });
}

const isLimited = ({ usage }: Order): boolean => usage.hour.limit > 0 || usage.day.limit > 0;

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
    keyed.map(({ order, apiKeyId, key, bodyDigest, answer }) => ({
      apiKeyId,
      key,
      bodyDigest,
      answer,
      createdAt: order.now,
    })),
    first.order.now - idempotencyKeptFor,
  );
  for (const [index, { order, bodyDigest }] of keyed.entries()) {
    const former = kept[index];
    if (former === undefined) continue;
    outcomes.set(
      order,
      former.bodyDigest === bodyDigest ? { kind: "replayed", answer: former.answer } : { kind: "reused" },
    );
  }
}

async function charge(
  storage: Repositories,
  orders: Order[],
  outcomes: Map<Order, OrderOutcome>,
): Promise<void> {
  if (orders.length === 0) return;
  const usages = await storage.usage.reserve(orders.map(({ usage }) => usage));
  const refused = orders.filter((order, index) => {
    const usage = usages[index];
    if (usage === undefined || usage.allowed) return false;
    outcomes.set(order, { kind: "over_limit", usage });
    return true;
  });
  const keys = refused.flatMap(({ idempotency }) => (idempotency === undefined ? [] : [idempotency]));
  if (keys.length > 0) await storage.idempotencyKeys.release(keys);
}

/** Writes accepted orders. Nothing here waits for another answer but for ids, so that a storage far away is asked once. */
async function record(storage: Repositories, orders: Order[]): Promise<void> {
  const deliveries = orders.flatMap((order) => order.deliveries);
  const usedKeys = new Set(orders.flatMap(({ usedKeyId }) => usedKeyId ?? []));
  const emails = await Promise.all(
    orders
      .flatMap((order) => order.emails)
      .map(async ({ content, ...email }): Promise<NewEmail> => {
        const contentId = typeof content === "number" ? content : await storage.contents.put(content);
        return { ...email, contentId };
      }),
  );
  await Promise.all([
    storage.emails.insert(emails),
    storage.events.append(orders.flatMap(({ events }) => events)),
    deliveries.length > 0 ? storage.webhookDeliveries.insert(deliveries) : undefined,
    usedKeys.size > 0 ? storage.apiKeys.touch([...usedKeys], orders[0]?.now ?? 0) : undefined,
    storage.usage.count(orders.filter((order) => !isLimited(order)).map(({ usage }) => usage)),
  ]);
}

/** What there is to tell of once accepted orders are committed. */
export function topicsOf(orders: Order[]): Topic[] {
  const webhooks = orders.some(({ deliveries }) => deliveries.length > 0);
  return webhooks ? ["emails", "events", "webhooks"] : ["emails", "events"];
}
