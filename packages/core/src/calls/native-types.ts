import { z } from "zod";

/** How the types of fields that no JSON can hold are written in TypeScript, for `npm run verbs`. */
export const nativeTypes = z.registry<{ type: string }>();

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
const isIterable = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** Bytes that are at hand. */
export const bytesField = z.custom<Uint8Array>(isBytes, "must be bytes");
nativeTypes.add(bytesField, { type: "Uint8Array" });

/** Bytes that are at hand, or come one after another. */
export const streamField = z.custom<Uint8Array | AsyncIterable<Uint8Array>>(
  (value) => isBytes(value) || isIterable(value),
  "must be bytes, or an async iterable of bytes such as a stream",
);
nativeTypes.add(streamField, { type: "Uint8Array | AsyncIterable<Uint8Array>" });
