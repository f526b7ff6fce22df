/** Possible problems with a record. */
export const domainProblems = [
  "not_found",
  "zone_not_found",
  "wrong_zone",
  "name_doubled",
  "underscore_missing",
  "alias",
  "address",
  "quoted",
  "cut_short",
  "in_pieces",
  "several",
  "other_key",
  "key_revoked",
  "testing",
  "other_value",
  "name_servers_differ",
  "too_many_lookups",
  "passes_all",
  "include_missing",
  "no_answer",
] as const;

/** A stable code for the problem with a record. */
export type DomainProblem = (typeof domainProblems)[number];

/** The result of checking a record. */
export interface Verdict {
  status: "ok" | "missing" | "wrong" | "ambiguous" | "unreachable";
  problem?: DomainProblem | undefined;
  /** How to fix the problem; empty if there is nothing to do. */
  hint: string;
}

export const fine: Verdict = { status: "ok", hint: "" };

export const wrong = (problem: DomainProblem, hint: string): Verdict => ({ status: "wrong", problem, hint });

export const ambiguous = (problem: DomainProblem, hint: string): Verdict => ({
  status: "ambiguous",
  problem,
  hint,
});
