import { styleText } from "node:util";

/** Colours text if the stream supports it and `NO_COLOR` is not set. */
export function paint(
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return styleText(style, text, { stream, validateStream: true });
}
