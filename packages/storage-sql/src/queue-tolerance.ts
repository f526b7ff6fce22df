/** By how many ms the clocks of processes may differ: what another has just queued was postponed by none. */
export const queueToleranceMs = 1_000;
