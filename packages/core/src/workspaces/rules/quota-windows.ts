/** A window for which usage is counted. Both ends are in ms since 1970; `resetsAt` is excluded. */
export interface QuotaWindow {
  start: number;
  resetsAt: number;
}

/** Returns the hour (UTC) that contains `now` (decisions §6). */
export function hourWindow(now: number): QuotaWindow {
  return windowOf(now, 3_600_000);
}

/** Returns the day (UTC) that contains `now` (decisions §6). */
export function dayWindow(now: number): QuotaWindow {
  return windowOf(now, 86_400_000);
}

function windowOf(now: number, length: number): QuotaWindow {
  const start = Math.floor(now / length) * length;
  return { start, resetsAt: start + length };
}
