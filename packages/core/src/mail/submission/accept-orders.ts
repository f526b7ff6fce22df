import type { NewEmail } from "../../ports/storage/emails.ts";
import type { Repositories, Topic } from "../../ports/storage.ts";
import { acceptanceChanges } from "../metrics/metric-changes.ts";
import { decideOrders } from "./decide-orders.ts";
import { keepSets } from "./keep-sets.ts";
import { isLimited, type Order, type OrderItem, type OrderOutcome, usageOf } from "./order.ts";

/**
 * Decides over a batch of orders and records those that are accepted, in the given transaction; each is accepted whole or leaves nothing.
 * No two may carry the same key.
 */
export async function acceptOrders(storage: Repositories, orders: Order[]): Promise<OrderOutcome[]> {
  const outcomes = await decideOrders(storage, orders);
  const accepted = orders.flatMap((order, index): Accepted[] => {
    const outcome = outcomes[index];
    return outcome?.kind === "accepted" ? [{ order, items: outcome.items }] : [];
  });
  if (accepted.some(({ items }) => items.length > 0)) await record(storage, accepted);
  return outcomes;
}

interface Accepted {
  order: Order;
  items: OrderItem[];
}

/** Writes accepted orders. Nothing here waits for another answer but for ids, so that a storage far away is asked once. */
async function record(storage: Repositories, accepted: Accepted[]): Promise<void> {
  const items = accepted.flatMap((one) => one.items);
  const deliveries = items.flatMap((item) => item.deliveries);
  const usedKeys = new Set(accepted.flatMap(({ order }) => order.usedKeyId ?? []));
  const setIds = await keepSets(
    storage,
    items.map(({ email }) => email),
  );
  const emails = await Promise.all(
    items.map(async ({ email: { content, files, ...email } }): Promise<NewEmail> => {
      const contentId = typeof content === "number" ? content : await storage.contents.put(content);
      return { ...email, contentId, attachmentSetId: files && setIds.get(files.set.digest) };
    }),
  );
  const answers = accepted.flatMap(({ order: { idempotency }, items }) =>
    idempotency === undefined || items.length === 0
      ? []
      : { ...idempotency, answer: idempotency.answerFor(items) },
  );
  await Promise.all([
    storage.emails.insert(emails),
    storage.events.append(items.flatMap(({ events }) => events)),
    deliveries.length > 0 ? storage.webhookDeliveries.insert(deliveries) : undefined,
    usedKeys.size > 0 ? storage.apiKeys.touch([...usedKeys], accepted[0]?.order.now ?? 0) : undefined,
    answers.length > 0 ? storage.idempotencyKeys.answer(answers) : undefined,
    storage.metrics.count(acceptanceChanges(items.map(({ email }) => email))),
    storage.usage.count(
      accepted.filter(({ order }) => !isLimited(order)).map((one) => usageOf(one.order, one.items)),
    ),
  ]);
}

/** What there is to tell of once accepted orders are committed. */
export function topicsOf(outcomes: readonly OrderOutcome[]): Topic[] {
  const items = outcomes.flatMap((outcome) => (outcome.kind === "accepted" ? outcome.items : []));
  if (items.length === 0) return [];
  const webhooks = items.some(({ deliveries }) => deliveries.length > 0);
  return webhooks ? ["emails", "events", "webhooks"] : ["emails", "events"];
}
