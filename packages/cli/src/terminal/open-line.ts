/** Streams whose last line is written over and over, and stands open. */
const open = new WeakSet<object>();

/** Remembers that the stream's line is to be ended before anything else is written there. */
export const leaveOpen = (stream: object): void => void open.add(stream);

/** Begins a new line where one stands open: what is said next must not join it. */
export function startLine(stream: Pick<NodeJS.WriteStream, "write">): void {
  if (open.delete(stream)) stream.write("\n");
}
