/** Values that differ at every run: compared by shape. */
const shapes = [
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^sk_\w{40}$/,
];

/** Returns how the output differs from the document; `undefined` if it does not. In a text, `…` matches anything. */
export function findDifference(language: string, shown: string, output: string): string | undefined {
  if (language === "text") {
    return wildcard(shown.trim()).test(output.trim()) ? undefined : `the output was:\n${output}`;
  }
  try {
    return differ(JSON.parse(shown), JSON.parse(output), "");
  } catch (error) {
    return `${(error as Error).message}\nthe output was:\n${output}`;
  }
}

function wildcard(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

function differ(shown: unknown, given: unknown, path: string): string | undefined {
  if (typeof shown === "string" && typeof given === "string") {
    const shape = shapes.find((one) => one.test(shown)) ?? wildcard(shown);
    return shape.test(given) ? undefined : `${path}: ${given}`;
  }
  if (!isObject(shown) || !isObject(given))
    return shown === given ? undefined : `${path}: ${JSON.stringify(given)}`;
  const missing = Object.keys(shown).filter((key) => !Object.hasOwn(given, key));
  const more = Object.keys(given).filter((key) => !Object.hasOwn(shown, key));
  if (missing.length + more.length > 0)
    return `${path}: shows ${missing.join(", ") || "all"}, leaves out ${more.join(", ") || "none"}`;
  for (const key of Object.keys(shown)) {
    const difference = differ(shown[key], given[key], `${path}.${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
