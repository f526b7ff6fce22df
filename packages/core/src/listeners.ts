import type { EventType } from "./events.ts";
import type { NewEvent } from "./outbox.ts";
import type { Logger } from "./ports/logger.ts";

/** An event as in-process listeners get it, with its metadata read. */
export interface ServiceEvent extends Omit<NewEvent, "type" | "metadata"> {
  type: EventType;
  metadata: Record<string, unknown>;
}

/** Hears of one type of event, or of all (`"*"`); returns how to stop. */
export type Listen = (type: EventType | "*", listener: (event: ServiceEvent) => void) => () => void;

/** In-process listeners of one service. What a listener throws, or rejects with, is logged and stops nobody. */
export function createListeners(logger: Logger | undefined): { on: Listen; tell(events: NewEvent[]): void } {
  const listeners = new Map<string, Set<(event: ServiceEvent) => void>>();

  /** An async listener's rejection would otherwise end the process. */
  async function call(listener: (event: ServiceEvent) => unknown, event: ServiceEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      logger?.error({ err: error, type: event.type }, "a listener failed");
    }
  }

  return {
    on(type, listener) {
      const set = listeners.get(type) ?? new Set();
      listeners.set(type, set.add(listener));
      return () => void set.delete(listener);
    },
    tell(events) {
      if (listeners.size === 0) return;
      for (const event of events) {
        const heard = [...(listeners.get(event.type) ?? []), ...(listeners.get("*") ?? [])];
        if (heard.length === 0) continue;
        const told = { ...event, type: event.type as EventType, metadata: JSON.parse(event.metadata) };
        for (const listener of heard) {
          void call(listener, told);
        }
      }
    },
  };
}
