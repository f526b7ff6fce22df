const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/**
 * Formats a duration in ms for people: `12 s`, `5 min`, `3 h`, `2 d`, in whole units, the largest of which there are at
 * least two.
 */
export function duration(ms: number): string {
  const [unit, size] = units.find(([, one]) => ms >= 2 * one) ?? ["s", 1_000];
  return `${Math.max(0, Math.round(ms / size))} ${unit}`;
}

/** Returns the age of an ISO 8601 time; `undefined` for none. */
export function ageOf(time: string | null, now: number): string | undefined {
  return time === null ? undefined : duration(now - Date.parse(time));
}
