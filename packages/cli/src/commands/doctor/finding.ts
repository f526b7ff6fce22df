/** Result of a check. */
export interface Finding {
  check: string;
  state: "ok" | "warning" | "broken";
  found: string;
  /** What to do about it. */
  advice?: string;
}

export const ok = (check: string, found: string): Finding => ({ check, state: "ok", found });

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  state: "warning",
  found,
  advice,
});

export const broken = (check: string, found: string, advice: string): Finding => ({
  check,
  state: "broken",
  found,
  advice,
});
