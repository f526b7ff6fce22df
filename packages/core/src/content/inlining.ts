/** Why a content was not inlined: a fault in it, too long a queue, or helper threads that can't work. */
export type InlineRefusalReason = "timeout" | "too_large" | "too_deep" | "failed" | "busy" | "unavailable";

/** A content that was not worked on. */
export interface InlineRefusal {
  ok: false;
  reason: InlineRefusalReason;
  /** For people; names line and column where they are known. */
  message: string;
  /** Ms after which another attempt may give another result; `undefined` if the result is final and may be cached. */
  retryAfterMs: number | undefined;
}

/** The workspace that asks; `undefined` for the service itself. */
export type InlineOwner = number | undefined;

/** Slow work on contents, done off the event loop; refusals are values. Each workspace has its turn, one job of each under way. */
export interface Inlining {
  /** The html with the css (the workspace's, joined) and its own `<style>` inlined (decisions §5). */
  inline(
    source: { html: string; css: string },
    owner: InlineOwner,
  ): Promise<{ ok: true; html: string } | InlineRefusal>;
  /** A text part made from html; placeholders stay. */
  toText(html: string, owner: InlineOwner): Promise<{ ok: true; text: string } | InlineRefusal>;
  /** Whether a stylesheet can be inlined. */
  checkStylesheet(css: string, owner: InlineOwner): Promise<{ ok: true } | InlineRefusal>;
  /** Ends the threads; waiting and later calls are refused as unavailable. */
  close(): Promise<void>;
}
