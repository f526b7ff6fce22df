import { expect, test } from "vitest";

/** A copy of the modules of its own, as a host has that has installed the package twice. */
const openCopy = async (name: string) => {
  const load = async <Module>(path: string): Promise<Module> =>
    import(`${new URL(path, import.meta.url).href}?copy=${name}`);
  const { ServiceError } = await load<typeof import("../errors.ts")>("../errors.ts");
  const { AttachmentUnreadable } = await load<typeof import("./mailer.ts")>("./mailer.ts");
  const { SchemaMismatch, StorageUnavailable, StorageUnsuited, Unconfirmed, UniqueViolation } =
    await load<typeof import("./storage.ts")>("./storage.ts");
  return {
    ServiceError: [ServiceError, new ServiceError("not_found")],
    AttachmentUnreadable: [AttachmentUnreadable, new AttachmentUnreadable("gone", { isGone: true })],
    SchemaMismatch: [SchemaMismatch, new SchemaMismatch("newer")],
    StorageUnavailable: [StorageUnavailable, new StorageUnavailable("full")],
    StorageUnsuited: [StorageUnsuited, new StorageUnsuited("read-only")],
    Unconfirmed: [Unconfirmed, new Unconfirmed("unknown")],
    UniqueViolation: [UniqueViolation, new UniqueViolation("users.email")],
  } as const;
};

test("errors of a second copy of the package are told by their kind, and by no other", async () => {
  const [one, other] = [await openCopy("one"), await openCopy("other")];
  expect(one.ServiceError[0]).not.toBe(other.ServiceError[0]);
  for (const [name, [Type]] of Object.entries(one)) {
    const kinds = Object.entries(other).filter(([, [, error]]) => error instanceof Type);
    expect(kinds.map(([kind]) => kind)).toEqual([name]);
    for (const stranger of [undefined, null, 5, {}, new Error(name), { name }])
      expect(stranger instanceof Type).toBe(false);
  }
});

test("a host's subclass has no instances but its own", async () => {
  const { ServiceError } = await import("../errors.ts");
  class Refusal extends ServiceError {}
  const refusal = new Refusal("not_found");
  expect([refusal instanceof Refusal, refusal instanceof ServiceError]).toEqual([true, true]);
  for (const stranger of [new ServiceError("not_found"), undefined, null, 5, {}])
    expect(stranger instanceof Refusal).toBe(false);
});
