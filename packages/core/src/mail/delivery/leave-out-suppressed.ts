import {
  type ClaimedEmail,
  type EmailPayload,
  type EmailRecipient,
  type SuppressionOrigin,
  suppressionReply,
} from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { findSuppressed } from "../../suppressions/find-suppressed.ts";
import { holdsSinceAcceptance } from "./holds-since-acceptance.ts";

/** A recipient who is left out. */
interface LeftOut {
  address: string;
  outcome: "suppressed";
  reply: string;
  suppressedBy: SuppressionOrigin;
}

/**
 * Separates the open recipients into those who may still be sent to, and those who were suppressed since the e-mail was
 * accepted.
 */
export function leaveOutSuppressed(
  runtime: Means,
  claimed: ClaimedEmail,
  payload: EmailPayload,
  open: EmailRecipient[],
): Separated | Promise<Separated> {
  const { workspaceId } = claimed.email;
  return workspaceId === undefined || holdsSinceAcceptance(runtime, claimed)
    ? { rest: open, leftOut: [] }
    : separate(runtime, workspaceId, payload, open);
}

type Means = Pick<Runtime, "acceptance" | "queueClock" | "now">;

interface Separated {
  rest: EmailRecipient[];
  leftOut: LeftOut[];
}

async function separate(
  { acceptance, now }: Means,
  workspaceId: number,
  { unsubscribe }: EmailPayload,
  open: EmailRecipient[],
): Promise<Separated> {
  const question = { workspaceId, list: unsubscribe?.list, now: now() };
  const suppressed = await findSuppressed(
    acceptance.lookups,
    question,
    open.map(({ address }) => address),
  );
  return {
    rest: open.filter(({ address }) => !suppressed.has(address)),
    leftOut: [...suppressed].map(([address, { origin }]) => ({
      address,
      outcome: "suppressed",
      reply: suppressionReply(origin),
      suppressedBy: origin,
    })),
  };
}
