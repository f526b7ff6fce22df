import { host, world } from "./world-for-each.ts";

export const mebibyte = 1024 * 1024;

export const upload = (content: Uint8Array | AsyncIterable<Uint8Array>, filename = "a.bin") =>
  world.posthorn.attachments.upload({ filename, content }, host());

export const bytes = (text: string) => new TextEncoder().encode(text);
