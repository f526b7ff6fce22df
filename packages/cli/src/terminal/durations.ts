const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/** A length in ms as people read it: `12 s`, `5 min`, `3 h`, `2 d`; whole units, the largest of which there are two. */
export function duration(ms: number): string {
  const [unit, size] = units.find(([, one]) => ms >= 2 * one) ?? ["s", 1_000];
  return `${Math.max(0, Math.round(ms / size))} ${unit}`;
}

/** How long ago an ISO 8601 time was; `undefined` for none. */
export function ageOf(time: string | null, now: number): string | undefined {
  return time === null ? undefined : duration(now - Date.parse(time));
}
