/** The key of an error's kind, shared by all copies of this package in a process. */
export const errorKind: unique symbol = Symbol.for("@posthorn/core error");

const kindOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && errorKind in value ? value[errorKind] : undefined;

/**
 * `Symbol.hasInstance` of a class of errors. Whether a value is an instance of it, or an error of its kind of another
 * copy of this package: package managers install a second one if the versions of two packages differ, and `instanceof`
 * must not tell them apart. A host's subclass has no kind of its own.
 */
export function hasInstance(this: { prototype: object }, value: unknown): boolean {
  const { prototype } = this;
  return Object.hasOwn(prototype, errorKind)
    ? kindOf(value) === kindOf(prototype)
    : Object.prototype.isPrototypeOf.call(prototype, Object(value));
}
