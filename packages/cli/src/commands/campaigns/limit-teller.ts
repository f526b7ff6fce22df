import { readable } from "../../terminal/report-done.ts";

interface Limited {
  name: string;
  limited_until: string | null;
}

/** Tells once for each of the plan's windows that a campaign waits for it, even if there is room at times meanwhile. */
export function createLimitTeller(output: { warn(text: string): void }): (campaign: Limited) => void {
  let told: string | undefined;
  return ({ name, limited_until: until }) => {
    if (until === null || until === told) return;
    told = until;
    output.warn(`The plan's limit is reached: "${name}" continues at ${readable(until)}.`);
  };
}
