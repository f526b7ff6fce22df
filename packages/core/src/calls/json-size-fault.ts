/** What is wrong with a value that is to be kept as JSON of at most so many bytes, told as `bound`; `undefined` for nothing. */
export function jsonSizeFault(value: object, maxBytes: number, bound: string): string | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(value)) > maxBytes ? `is larger than ${bound}` : undefined;
  } catch {
    // A host may hand over what no request can hold: cycles, big integers, and what is nested too deep.
    return "can't be written as JSON";
  }
}
