import { world } from "./world-for-each.ts";

export const after = (ms: number) => new Date(world.clock.now() + ms).toISOString();
export const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

export const invitation = (summary: string): string =>
  [
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `SUMMARY:${summary}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");
