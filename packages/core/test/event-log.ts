import type { NewEvent, Storage } from "../src/ports/storage.ts";

/** An event of the log with this message. */
export const newEvent = (message: string, over: Partial<NewEvent> = {}): NewEvent => ({
  category: "system",
  type: "queue.paused",
  workspaceId: undefined,
  userId: undefined,
  actorId: undefined,
  actorName: "",
  clientIp: "",
  message,
  metadata: "{}",
  createdAt: 1,
  ...over,
});

/** A storage that knows how many listen to it. */
export function countListeners(opened: Storage): { storage: Storage; listening: () => number } {
  let listening = 0;
  const storage: Storage = {
    ...opened,
    subscribe(listener) {
      const end = opened.subscribe(listener);
      listening += 1;
      return () => {
        listening -= 1;
        end();
      };
    },
  };
  return { storage, listening: () => listening };
}
