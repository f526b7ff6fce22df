/** Exit codes (decisions §13). */
export const exitCodes = {
  failed: 1,
  usage: 2,
  not_found: 3,
  not_allowed: 4,
  conflict: 5,
  limit: 6,
  unavailable: 7,
  interrupted: 130,
} as const;

export type Failure = keyof typeof exitCodes;
