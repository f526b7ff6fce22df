import { trapLink } from "../links/link-rewrite.ts";
import type { Hit } from "./hit.ts";

/** Ms within which a machine follows several links of an e-mail, and a person does not. */
export const burstMs = 2_000;
/** Number of different links that a person does not follow within that time. */
const burstLinks = 3;

/**
 * Judges the clicks on one e-mail to one recipient by each other: whoever follows three of its links within two
 * seconds, or the link that nobody sees, is a machine (platform.md P11).
 */
export function judgeClicks(clicks: readonly Hit[]): Hit[] {
  return clicks.map((click) => {
    if (click.machine === true) return click;
    const near = clicks.filter(
      (other) => other.at <= click.lastAt + burstMs && other.lastAt >= click.at - burstMs,
    );
    if (near.some(({ link }) => link === trapLink)) return { ...click, machine: true, reason: "trap" };
    return isBurst(click, near) ? { ...click, machine: true, reason: "burst" } : click;
  });
}

/** Whether a click is one of those on enough different links within the time. */
function isBurst(click: Hit, near: readonly Hit[]): boolean {
  return near.some((first) => {
    if (first.at > click.at || click.at > first.at + burstMs) return false;
    const links = near.filter(({ at }) => at >= first.at && at <= first.at + burstMs).map(({ link }) => link);
    return new Set(links).size >= burstLinks;
  });
}
