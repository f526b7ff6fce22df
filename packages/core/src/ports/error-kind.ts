/** The key of an error's kind, shared by all copies of this package in a process. */
export const errorKind: unique symbol = Symbol.for("@posthorn/core error");

/**
 * Whether a value is an error of that kind, of whichever copy of this package: package managers install a second one
 * if the versions of two packages differ, and `instanceof` must not tell them apart.
 */
export const isOfKind = (value: unknown, kind: string): boolean =>
  typeof value === "object" && value !== null && errorKind in value && value[errorKind] === kind;
