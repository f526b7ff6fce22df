import { AsyncLocalStorage } from "node:async_hooks";
import { type EventType, eventKinds } from "../events.ts";
import type { Logger } from "../ports/logger.ts";
import type { NewEvent } from "../ports/storage.ts";
import { type ServiceEvent, viewNewEvent } from "./event-view.ts";

/**
 * Subscribes to all events (`"*"`), or to one type, whose metadata is typed. Returns the function that unsubscribes.
 */
export interface Listen {
  /**
   * Subscribes to all events of this process, after their commit. What the listener throws or rejects with is logged.
   * Returns the function that unsubscribes. Throws a `TypeError` for an unknown type.
   */
  (type: "*", listener: (event: ServiceEvent) => void): () => void;
  /**
   * Subscribes to one type of event of this process, after its commit. What the listener throws or rejects with is
   * logged. Returns the function that unsubscribes. Throws a `TypeError` for an unknown type.
   */
  <T extends EventType>(type: T, listener: (event: ServiceEvent<T>) => void): () => void;
}

/** Each listener is stored under its type, with the one that runs in its context. */
type Listener = (event: never) => unknown;

/**
 * Creates a service's in-process listeners. An exception or rejection of a listener is logged and does not affect
 * others. A listener runs in the host's context (`AsyncLocalStorage`) in which it subscribed: of sends that one commit
 * took, it would otherwise hear of all in the context of the first, which may be another tenant's.
 */
export function createListeners(logger: Logger | undefined): { on: Listen; tell(events: NewEvent[]): void } {
  const listeners = new Map<string, Map<Listener, Listener>>();

  /** Catches the rejection of an async listener, which would otherwise end the process. */
  async function call(listener: Listener, event: ServiceEvent): Promise<void> {
    try {
      await listener(event as never);
    } catch (error) {
      logger?.error({ err: error, type: event.type }, "a listener failed");
    }
  }

  return {
    on(type: EventType | "*", listener: Listener) {
      if (type !== "*" && !Object.hasOwn(eventKinds, type))
        throw new TypeError(`there is no event ${String(type)}; "*" stands for all`);
      if (typeof listener !== "function") throw new TypeError("on takes a type of event and a function");
      const all = listeners.get(type) ?? new Map<Listener, Listener>();
      listeners.set(type, all.set(listener, AsyncLocalStorage.bind(listener)));
      return () => void all.delete(listener);
    },
    tell(events) {
      if (listeners.size === 0) return;
      for (const event of events) {
        const heard = [event.type, "*"].flatMap((type) => [...(listeners.get(type)?.values() ?? [])]);
        if (heard.length === 0) continue;
        const told = viewNewEvent(event);
        for (const listener of heard) {
          void call(listener, told);
        }
      }
    },
  };
}
