import type { TransactionFault } from "./transaction.ts";

/** Whether the server refused a message in so many words, and only for now: the connection can go on, and others may get through. */
export const isForNow = ({ verdict, ending }: TransactionFault): boolean =>
  verdict === "limited" || (verdict === "unclear" && ending.outcome === "deferred");
