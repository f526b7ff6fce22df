import { ServiceError } from "../errors.ts";
import type { Runtime } from "../service/runtime.ts";
import { changeAndNotify } from "./change-and-notify.ts";
import type { ReadContext } from "./use-case.ts";

/** Makes what long work needs, see `ReadContext`, for a call that acts on that workspace, named or a key's own. */
export type PiecesOf = (
  workspaceId: number | undefined,
) => Pick<ReadContext, "changePiece" | "piece" | "pause" | "yieldThread" | "reclaim">;

/**
 * The pieces of a call in the service's own transactions: they take turns with those of other calls. One that only
 * answers ends before its next piece, once nobody waits for the answer.
 */
export function ownPieces(
  runtime: Runtime,
  { onlyAnswers = false }: { onlyAnswers?: boolean },
  { hasLeft }: { hasLeft?: (() => boolean) | undefined },
): PiecesOf {
  const { storage, longWork, shortWork } = runtime;
  const goOn = (): void => {
    if (onlyAnswers && hasLeft?.() === true)
      throw new ServiceError("validation_failed", { message: "The caller has left." });
  };
  return (workspaceId) => ({
    changePiece: (work, holder = workspaceId) =>
      longWork.piece(holder, () => changeAndNotify(runtime, work, holder)),
    piece: (work) =>
      longWork.piece(workspaceId, () => {
        goOn();
        return work();
      }),
    pause: () => longWork.pause(workspaceId).then(goOn),
    yieldThread: () => shortWork.pause(workspaceId),
    reclaim: storage.reclaim,
  });
}
