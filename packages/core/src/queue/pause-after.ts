import { setTimeout as delay } from "node:timers/promises";

/** Longest pause, in ms. */
const maxMs = 500;

/**
 * Waits for twice as long as a piece of background work took, `ms`: on SQLite all writes wait for each other, and two
 * thirds of the time are left to those of requests and deliveries.
 */
export const pauseAfter = (ms: number): Promise<void> => delay(Math.min(2 * ms, maxMs));
