import { z } from "zod";

/** TypeScript types of fields that JSON can't hold, for `npm run verbs`. */
export const nativeTypes = z.registry<{ type: string }>();

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;
const isIterable = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** Bytes in memory. */
export const bytesField = z.custom<Uint8Array>(isBytes, "must be bytes");
nativeTypes.add(bytesField, { type: "Uint8Array" });

/** Bytes in memory, or a stream of them. */
export const streamField = z.custom<Uint8Array | AsyncIterable<Uint8Array>>(
  (value) => isBytes(value) || isIterable(value),
  "must be bytes, or an async iterable of bytes such as a stream",
);
nativeTypes.add(streamField, { type: "Uint8Array | AsyncIterable<Uint8Array>" });
