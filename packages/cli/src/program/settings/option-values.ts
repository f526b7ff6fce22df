import { InvalidArgumentError, Option } from "commander";

/** Reads a whole number within limits. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return value;
  };
}

/** Reads a limit: a number above zero, or `none`. */
export function boundOrNone(most: number): (text: string) => number | "none" {
  return (text) => {
    if (text === "none") return text;
    const value = /^\d{1,7}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
    if (!(value > 0 && value <= most))
      throw new InvalidArgumentError(`It must be a number up to ${most}, or none.`);
    return value;
  };
}

/** Reads one of several words. */
export function oneOf<T extends string>(...words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of: ${words.join(", ")}.`);
    return found;
  };
}

/** Collects the values of a repeatable option. */
export function several(text: string, former: string[] = []): string[] {
  return [...former, text];
}

/** Collects `key=value` pairs of a repeatable option; the value is all text after the first `=`. */
export function entries(text: string, former: Record<string, string> = {}): Record<string, string> {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("It must be a key and a value, such as order=1007.");
  const key = text.slice(0, equals);
  if (Object.hasOwn(former, key)) throw new InvalidArgumentError(`"${key}" is given more than once.`);
  return { ...former, [key]: text.slice(equals + 1) };
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads a time, relative (`90s`, `15m`, `1h`, `7d` ago) or ISO 8601. Returns ms since the epoch. */
export function moment(text: string): number {
  const ago = /^(\d{1,9})([smhd])$/.exec(text);
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0];
  const time = day === undefined || !isDay(day) ? Number.NaN : Date.parse(text);
  const at = ago === null ? time : Date.now() - Number(ago[1]) * unitMs[ago[2] as keyof typeof unitMs];
  if (Number.isNaN(at))
    throw new InvalidArgumentError(
      "It must be a length such as 15m, 1h or 7d, or a time such as 2030-01-31T08:00:00Z.",
    );
  if (at < 0) throw new InvalidArgumentError("It must be 1970-01-01 or later.");
  return at;
}

/** Whether a day exists: `Date.parse` takes 31 February for 3 March. */
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** Reads yes or no. */
export function yesOrNo(text: string): boolean {
  if (text === "yes" || text === "true") return true;
  if (text === "no" || text === "false") return false;
  throw new InvalidArgumentError("It must be yes or no.");
}

/** Creates the option of commands that send for what is to be tracked. */
export const trackOption = (): Option =>
  new Option(
    "--track <what>",
    "record opens, clicks, opens,clicks, none, or what the settings say (default: settings)",
  ).argParser(tracked);

/** What is to be tracked, in the API's form: without members, the workspace's settings apply. */
export interface TrackOption {
  opens?: boolean;
  clicks?: boolean;
}

/** Reads what is to be tracked: `opens`, `clicks`, both with a comma between them, `none` or `settings`. */
function tracked(text: string): TrackOption {
  if (text === "settings") return {};
  const words = text === "none" ? [] : text.split(",").map((word) => word.trim());
  if (words.some((word) => word !== "opens" && word !== "clicks"))
    throw new InvalidArgumentError("It must be opens, clicks, opens,clicks, none or settings.");
  return { opens: words.includes("opens"), clicks: words.includes("clicks") };
}
