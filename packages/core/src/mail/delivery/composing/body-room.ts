import type { ClaimedEmail } from "../../../ports/storage.ts";
import { createByteRoom } from "./byte-room.ts";
import { createRenderingTurns } from "./rendering-turns.ts";

/** Maximum UTF-16 units of rendered bodies in memory, apart from small ones and what `createByteRoom` lets in alone. */
const roomUnits = 32 * 1024 * 1024;

/** The memory for bodies that are rendered, until they are sent, and the turns in which they are. */
export interface BodyRoom {
  placeOf(claimed: ClaimedEmail): BodyPlace;
}

/** What one e-mail takes of it. */
export interface BodyPlace {
  /** Takes the memory for a body of that many UTF-16 units, or returns a promise until there is some. Called once. */
  enter(units: number): Promise<void> | undefined;
  /** Renders in a turn of the event loop that is not taken up by others. */
  inTurn<T>(work: () => T): T | Promise<T>;
  /** Gives back what was taken. */
  leave(): void;
}

/** Creates the room. `onAdmitted` is called for an e-mail that had to wait for memory. */
export function createBodyRoom(onAdmitted: (claimed: ClaimedEmail) => void): BodyRoom {
  const room = createByteRoom(roomUnits);
  const turns = createRenderingTurns();
  return {
    placeOf(claimed) {
      let taken = 0;
      return {
        inTurn: (work) => turns.run(claimed.email.workspaceId, work),
        enter(units) {
          taken = units;
          return room.enter(units, claimed.route)?.then(() => onAdmitted(claimed));
        },
        leave() {
          if (taken > 0) room.leave(taken, claimed.route);
        },
      };
    },
  };
}
