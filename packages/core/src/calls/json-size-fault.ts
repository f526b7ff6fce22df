/**
 * Returns what is wrong with a value that is stored as JSON of limited size, or `undefined`. `bound` is the limit as
 * text for the message.
 */
export function jsonSizeFault(value: object, maxBytes: number, bound: string): string | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(value)) > maxBytes ? `is larger than ${bound}` : undefined;
  } catch {
    // Hosts may pass values that no request can contain: cycles, big integers, and values nested too deeply.
    return "can't be written as JSON";
  }
}
