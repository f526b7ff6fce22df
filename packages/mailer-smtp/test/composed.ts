import type { MailMessage } from "@posthorn/core";
import { composeMessage, createComposer } from "../src/compose/compose-message.ts";
import { sampleMessage } from "./sample-message.ts";

export const crlf = (text: string) => text.replace(/\r\n|\r|\n/g, "\r\n").replace(/(\r\n)+$/, "");

/** Composes a message without files. */
export const sourceOf = (changes: Partial<MailMessage>) =>
  Buffer.concat(createComposer()(sampleMessage(changes)).parts as Buffer[]).toString("latin1");

export const withFiles = async (changes: Partial<MailMessage>) =>
  (await composeMessage(sampleMessage(changes))).toString("latin1");
