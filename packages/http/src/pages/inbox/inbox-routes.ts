import { randomBytes } from "node:crypto";
import { ServiceError } from "@posthorn/core";
import type { WireReply, WireRequest } from "../../contract/wire-request.ts";
import { htmlReply, jsonReply, polledReply } from "../../server/replies/plain-reply.ts";
import { assertFormToken } from "../assert-form-token.ts";
import { hasRemotePictures, htmlFrame } from "../html-frame.ts";
import { isFromHere } from "../is-from-here.ts";
import type { CaptureInbox, InboxMailDetail } from "./capture-inbox.ts";
import { inboxPage } from "./inbox-page.ts";
import { addressedIn, decodeHeaders, type MailFile, readFiles, readHeaders } from "./read-files.ts";

/** Finds the handler of an inbox path; `undefined` if there is none, or not for this caller. */
type InboxRoutes = (
  request: WireRequest,
  path: string,
  query: string,
) => (() => WireReply | Promise<WireReply>) | undefined;

/** Creates the routes for captured mail, which respond only to callers on this machine. */
export function createInboxRoutes(inbox: CaptureInbox, hasPreviews: () => boolean): InboxRoutes {
  const formToken = randomBytes(18).toString("base64url");
  const page = (root: "inbox" | "../inbox", status = 200): WireReply =>
    htmlReply({ ...inboxPage({ root, formToken, limit: inbox.limit, hasPreviews: hasPreviews() }), status });
  return (request, path, query) => {
    if (!path.startsWith("/inbox") || !isFromHere(request)) return undefined;
    const { method } = request;
    if (method === "POST" && path === "/inbox/clear") return () => clear(inbox, formToken, request);
    if (method !== "GET" && method !== "HEAD") return undefined;
    if (path === "/inbox") return () => page("inbox");
    if (path === "/inbox.json") return () => listReply(inbox, request);
    const match = /^\/inbox\/([\w-]{1,64})(\.json|\/html|\/source|\/attachments\/(\d{1,4}))?$/.exec(path);
    if (match?.[1] === undefined) return undefined;
    const part = match[2];
    const mail = inbox.find(match[1]);
    // For a mail that is gone, the page itself says so, beside the others.
    if (part === undefined) return () => page("../inbox", mail === undefined ? 404 : 200);
    if (mail === undefined) return undefined;
    if (part === ".json") return async () => jsonReply(await detailOf(mail));
    if (part === "/source") return () => sourceReply(mail);
    if (part === "/html") {
      const pictures = query === "pictures=1";
      return async () => htmlFrame(mail.html, { files: await filesFor(mail), pictures });
    }
    return () => fileReply(mail, Number(match[3]));
  };
}

/** Removes all mails. */
async function clear(inbox: CaptureInbox, formToken: string, request: WireRequest): Promise<WireReply> {
  await assertFormToken(request, formToken);
  inbox.clear();
  return { status: 303, headers: { location: "../inbox", "cache-control": "no-store" }, body: "" };
}

function listReply(inbox: CaptureInbox, request: WireRequest): WireReply {
  const mails = inbox.list();
  return polledReply(request, `${mails.length}-${mails[0]?.id ?? "none"}`, mails);
}

/** Details of a mail for the page, besides its parts. */
async function detailOf(mail: InboxMailDetail): Promise<object> {
  const headers = readHeaders(mail.source);
  return {
    ...mail,
    addressed: await addressedIn(headers, mail.to),
    all_headers: await decodeHeaders(headers),
    source_size: Buffer.byteLength(mail.source),
    html_size: Buffer.byteLength(mail.html),
    has_remote_pictures: hasRemotePictures(mail.html),
  };
}

/** Avoids parsing mails without files. */
const filesFor = async (mail: InboxMailDetail): Promise<MailFile[]> =>
  mail.attachments.length === 0 ? [] : await readFiles(mail.source);

async function fileReply(mail: InboxMailDetail, position: number): Promise<WireReply> {
  const file = (await filesFor(mail))[position];
  if (file === undefined) throw new ServiceError("not_found");
  return download(file.filename || `file-${position + 1}`, new Uint8Array(file.content));
}

const sourceReply = (mail: InboxMailDetail): WireReply =>
  download(`${mail.id}.eml`, new Uint8Array(Buffer.from(mail.source)));

/** A download, which no browser displays or runs. */
function download(filename: string, body: Uint8Array<ArrayBuffer>): WireReply {
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  };
  return { status: 200, headers, body };
}
