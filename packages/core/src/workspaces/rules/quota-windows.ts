/** A stretch of time for which usage is counted; both ends in ms since 1970, `resetsAt` excluded. */
export interface QuotaWindow {
  start: number;
  resetsAt: number;
}

/** The clock hour (UTC) that holds `now` (decisions §6). */
export function hourWindow(now: number): QuotaWindow {
  return windowOf(now, 3_600_000);
}

/** The day (UTC) that holds `now` (decisions §6). */
export function dayWindow(now: number): QuotaWindow {
  return windowOf(now, 86_400_000);
}

function windowOf(now: number, length: number): QuotaWindow {
  const start = Math.floor(now / length) * length;
  return { start, resetsAt: start + length };
}
