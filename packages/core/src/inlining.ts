/** Slow work on contents, done off the event loop. */
export interface Inlining {
  /** The html with the css and its own `<style>` inlined; as it stands where that can't be done, with the reason. */
  inline(source: {
    html: string;
    css: string;
  }): Promise<{ ok: true; html: string } | { ok: false; reason: string; message: string }>;
  /** A text part made from html. */
  toText(html: string): Promise<string>;
  /** The fault of a stylesheet in words, `undefined` for none. */
  checkStylesheet(css: string): Promise<string | undefined>;
  close(): Promise<void>;
}
