import { describe, expect, test } from "vitest";
import type { Listing, Slice, Storage } from "../../ports/storage.ts";
import { useSendingWorld } from "./sending-world.ts";
import { openLists, walkedNames } from "./walked-lists.ts";

/**
 * The contract of cursors: items that were there at the start come once, in order, whatever is added in the meantime.
 */
export const describeWalks = (open: () => Promise<Storage>): void => {
  describe("paging through", () => {
    const world = useSendingWorld(open);

    test.each(walkedNames)(
      "%s returns each once, and nothing inserted before the current position",
      async (name) => {
        const { add, list, growsAtEnd = false } = (await openLists(world()))[name];
        for (let made = 0; made < 5; made += 1) await add();
        const whole = await list({ offset: 0, limit: 50 });
        expect([whole.items.length, whole.total, whole.after]).toEqual([5, 5, undefined]);
        expect((await list({ offset: 1, limit: 4 })).after).toBeUndefined();

        const walked: string[] = [];
        let slice: Slice | undefined = { offset: 0, limit: 2 };
        for (let page = 0; slice !== undefined; page += 1) {
          const { items, total, after }: Listing<string> = await list(slice);
          expect([items.length, total]).toEqual([page < 2 || growsAtEnd ? 2 : 1, 5]);
          walked.push(...items);
          if (page < 3) await add();
          slice = after && { offset: 0, limit: 2, after };
        }
        expect(walked.slice(0, 5)).toEqual(whole.items);
        // Items added at the end are returned too, and the walk ends.
        expect(new Set(walked).size).toBe(growsAtEnd ? 8 : 5);
        expect(walked).toHaveLength(growsAtEnd ? 8 : 5);
      },
    );
  });
};
