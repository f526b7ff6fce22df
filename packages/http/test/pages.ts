import { afterAll, beforeAll } from "vitest";
import type { InboxMailDetail } from "../src/pages/inbox/capture-inbox.ts";
import { startServer, type TestServer } from "./start-server.ts";

export const mail: InboxMailDetail = {
  id: "0190-0001-abcd",
  from: { name: "<b>Eve</b>", address: "eve@example.com" },
  to: ["grace@example.com"],
  subject: "<script>alert(1)</script>",
  receivedAt: Date.UTC(2030, 0, 1),
  html: '<p title="a">Hello</p><script>alert(2)</script>',
  text: "Hello <you>",
  headers: [{ name: "X-Odd", value: '"><img src=x>' }],
  attachments: [{ filename: "a<b>.txt", contentType: "text/plain", size: 3 }],
  source: "Subject: <script>alert(1)</script>",
};

export const captured: { mails: InboxMailDetail[] } = { mails: [mail] };

export const inbox = {
  limit: 500,
  list: () => captured.mails,
  find: (id: string) => captured.mails.find((each) => each.id === id),
  clear: () => {
    captured.mails = [];
  },
};

export let server: TestServer;

export const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

/** Starts a server whose captured mail is `captured`, for the tests of a file. */
export function servePages(): void {
  beforeAll(async () => {
    server = await startServer({ inbox });
  });
  afterAll(() => server.close());
}
