import type { z } from "zod";
import { type FieldFault, ServiceError } from "../../errors.ts";
import { fieldPath } from "../../rules/field-path.ts";
import { misplacedField } from "../../rules/misplaced-field.ts";
import { nearestName } from "../../rules/nearest-name.ts";
import type { InputContext } from "./json-object.ts";
import { refuseUnfit } from "./refuse-unfit.ts";

/** Maximum number of faults that are reported one by one; of the others, only their number. */
const maxDetails = 20;

/** Validates an input against its schema. Throws `validation_failed` with the first 20 faults. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  { jsonBytes }: InputContext = {},
): z.output<S> {
  refuseUnfit(schema, input);
  const known: KnownFields = new Map();
  const context: z.core.ParseContext<z.core.$ZodIssue> & InputContext = {
    error: (issue) => {
      if (issue.code === "unrecognized_keys") known.set(issue.keys, fieldsOf(issue.inst));
      return wordOf(issue);
    },
    jsonBytes,
  };
  const parsed = schema.safeParse(input, context);
  if (parsed.success) return parsed.data;
  // A field of another call comes first, then a misspelt one: they explain why those that are required are missing.
  const misplaced = parsed.error.issues.filter((issue) => isMisplaced(issue, known));
  const misspelt = misspeltOf(parsed.error.issues, known);
  const issues = [...new Set([...misplaced, ...misspelt, ...parsed.error.issues])];
  const details = issues
    .slice(0, maxDetails)
    .flatMap((issue) => faultsOf(issue, known))
    .slice(0, maxDetails);
  const total = Math.max(
    details.length,
    issues.reduce((sum, issue) => sum + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0),
  );
  const first = details[0];
  const lead =
    first === undefined || first.path === "" ? wholeFault(issues[0]) : `${first.path}: ${first.message}`;
  const more = total > 1 ? ` (and ${total - 1} more)` : "";
  throw new ServiceError("validation_failed", { message: `${lead}${more}`, details });
}

/** The fields that an object with unknown ones could have, by the list of the unknown ones. */
type KnownFields = Map<readonly string[], string[]>;

const fieldsOf = (schema: z.core.$ZodRawIssue["inst"]): string[] =>
  schema !== undefined && "shape" in schema._zod.def ? Object.keys(Object(schema._zod.def.shape)) : [];

const isMisplaced = (issue: z.core.$ZodIssue, known: KnownFields): boolean =>
  issue.code === "unrecognized_keys" &&
  issue.keys.slice(0, maxDetails).some((key) => misplacedField(key, known.get(issue.keys) ?? [], "call"));

/** Returns the unknown fields that resemble one at fault of the same object, such as a missing one. */
function misspeltOf(issues: readonly z.core.$ZodIssue[], known: KnownFields): z.core.$ZodIssue[] {
  const shown = issues.slice(0, maxDetails);
  const faulty = new Set(shown.map(({ path }) => path.join(".")));
  return shown.filter((issue) => {
    if (issue.code !== "unrecognized_keys") return false;
    const fields = known.get(issue.keys) ?? [];
    return issue.keys.slice(0, maxDetails).some((key) => {
      // Names of a request have a question mark, which is no part of what was written.
      const meant = nearestName(key.replace(/^\?/, ""), fields);
      return meant !== undefined && faulty.has([...issue.path, meant].join("."));
    });
  });
}

/** Words about a field that is not known, with the one that was most likely meant, if need be of another call or route. */
export function unknownField(name: string, known: Iterable<string>, over: "call" | "route" = "call"): string {
  const meant = nearestName(name, known) ?? misplacedField(name, known, over);
  return `is not a known field${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
}

/** Returns a fault of the input as a whole as a sentence. Checks' own words are sentences already. */
const wholeFault = (issue: z.core.$ZodIssue | undefined): string =>
  issue?.code === "invalid_type" ? "The input must be an object." : (issue?.message ?? "");

function faultsOf(issue: z.core.$ZodIssue, known: KnownFields, before: PropertyKey[] = []): FieldFault[] {
  const path = [...before, ...issue.path].map(String);
  if (issue.code === "unrecognized_keys") {
    const fields = known.get(issue.keys) ?? [];
    return issue.keys
      .slice(0, maxDetails)
      .map((key) => ({ path: fieldPath([...path, key]), message: unknownField(key, fields) }));
  }
  if (issue.code === "invalid_union" && issue.message === "") return faultsOfUnion(issue, known, path);
  return [{ path: fieldPath(path), message: issue.message }];
}

/** Returns the faults of the one alternative with the value's type; if there is none, the allowed types. */
function faultsOfUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  known: KnownFields,
  path: string[],
): FieldFault[] {
  const isOfOtherKind = (one: z.core.$ZodIssue): boolean =>
    one.path.length === 0 && (one.code === "invalid_type" || one.code === "invalid_value");
  const near = issue.errors.find((faults) => !faults.some(isOfOtherKind));
  if (near !== undefined) return near.flatMap((one) => faultsOf(one, known, path));
  const words = new Set(issue.errors.flatMap(([one]) => (one === undefined ? [] : [one.message])));
  return [{ path: fieldPath(path), message: [...words].join(", or ") || "is not valid" }];
}

/** Returns the fault as words that follow the field's name, if the schema has no words of its own. */
function wordOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "custom" && issue.input === undefined) return "is required";
  switch (issue.code) {
    case "invalid_type":
      return kinds[isWhole(issue.inst) ? "int" : issue.expected] ?? "is of the wrong type";
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return boundOf(issue.origin, "least", issue.minimum, issue.inclusive);
    case "too_big":
      return boundOf(issue.origin, "most", issue.maximum, issue.inclusive);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.format === "uuid" ? "is not a UUID" : "is not of the right form";
    case "invalid_key":
      return "has a key that is not allowed";
    case "invalid_union":
      // The faults of its alternatives say more.
      return "";
    case "unrecognized_keys":
      return "is not a known field";
    default:
      return "is not valid";
  }
}

/** For a text, zod reports only that it is not a number. */
const isWhole = (schema: z.core.$ZodRawIssue["inst"]): boolean =>
  schema !== undefined && "format" in schema._zod.def && schema._zod.def.format === "safeint";

const kinds: Record<string, string> = {
  string: "must be a string",
  number: "must be a number",
  int: "must be a whole number",
  boolean: "must be true or false",
  array: "must be a list",
  object: "must be an object",
  record: "must be an object",
};

/** Units of sizes by type; numbers have none. */
const units: Record<string, string> = { string: "character", array: "item", set: "item", object: "field" };

function boundOf(
  origin: string,
  side: "least" | "most",
  bound: number | bigint,
  inclusive: boolean | undefined,
): string {
  const unit = units[origin];
  if (unit !== undefined) return `must have at ${side} ${bound} ${unit}${Number(bound) === 1 ? "" : "s"}`;
  if (inclusive !== false) return `must be at ${side} ${bound}`;
  return `must be ${side === "least" ? "more" : "less"} than ${bound}`;
}
