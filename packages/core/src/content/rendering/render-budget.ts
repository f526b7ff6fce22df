import { TemplateLimitError } from "./template-errors.ts";
import { maxRenderMs, maxRenderWork } from "./template-limits.ts";

/** The cost of rendering one mail so far: its subject, html and text share a budget. */
export interface RenderBudget {
  /** Steps taken so far. A look-up in one scope is a step, and so are 16 printed characters. */
  work: number;
  /** The number of steps at which the clock is read next. */
  lookAt: number;
  /** End of the time limit, by `now`. It is set at the first reading, so that a small mail never reads the clock. */
  deadline: number | undefined;
  /** Monotonic clock in ms. */
  now(): number;
}

/** Number of steps between two readings of the clock. */
const stepsPerLook = 1_000;
/** Number of characters that cost as much as a look-up, with escaping and copying. */
const charactersPerStep = 16;

/** Creates a budget for one mail. `now` replaces the thread's clock, for tests. */
export function createRenderBudget(now: () => number = threadMs): RenderBudget {
  return { work: 0, lookAt: stepsPerLook, deadline: undefined, now };
}

/** Takes steps from the budget. Throws `TemplateLimitError` once it is used up. */
export function spendSteps(budget: RenderBudget, steps: number): void {
  budget.work += steps;
  if (budget.work >= budget.lookAt) look(budget);
}

/** Takes the cost of printing this many UTF-16 units. Throws `TemplateLimitError` once the budget is used up. */
export function spendText(budget: RenderBudget, length: number): void {
  if (length >= charactersPerStep) spendSteps(budget, Math.floor(length / charactersPerStep));
}

/**
 * Returns CPU ms of this thread, or, before Node 23.9, elapsed ms: a mail is limited by its own cost, not by a busy
 * machine.
 */
function threadMs(): number {
  if (!process.threadCpuUsage) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function look(budget: RenderBudget): void {
  if (budget.work > maxRenderWork)
    throw new TemplateLimitError("work", `Rendering takes more than ${maxRenderWork} steps.`);
  budget.lookAt = budget.work + stepsPerLook;
  const now = budget.now();
  budget.deadline ??= now + maxRenderMs;
  if (now > budget.deadline)
    throw new TemplateLimitError("time", `Rendering took longer than ${maxRenderMs} ms.`);
}
