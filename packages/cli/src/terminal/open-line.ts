/** Streams whose last line is rewritten and not yet ended. */
const open = new WeakSet<object>();

/** Records that the stream's line must be ended before other output. */
export const leaveOpen = (stream: object): void => void open.add(stream);

/** Ends an unfinished line, so that the next message does not join it. */
export function startLine(stream: Pick<NodeJS.WriteStream, "write">): void {
  if (open.delete(stream)) stream.write("\n");
}
