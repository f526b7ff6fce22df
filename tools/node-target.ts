import type { BuildOptions } from "esbuild";

/** For which Node esbuild writes what is published. */
export const nodeTarget = {
  target: "node22",
  // Else a literal such as /\p{L}/u becomes `new RegExp(…)` in its place, which V8 makes anew at each evaluation: esbuild takes
  // Node for an engine that may not know Unicode's properties.
  supported: { "regexp-unicode-property-escapes": true },
} satisfies BuildOptions;
