import { randomBytes } from "node:crypto";
import { ServiceError } from "@posthorn/core";
import { headerOf, type WireReply, type WireRequest } from "../../contract/wire-request.ts";
import { htmlReply, jsonReply } from "../../server/plain-reply.ts";
import { hasRemotePictures, htmlFrame } from "../html-frame.ts";
import { isFromHere } from "../is-from-here.ts";
import { previewPage } from "./preview-page.ts";
import type { RenderedTemplate, TemplatePreviews } from "./template-previews.ts";

/** Finds the handler of a preview path; `undefined` if there is none, or not for this caller. */
type PreviewRoutes = (
  request: WireRequest,
  path: string,
  query: string,
) => (() => WireReply | Promise<WireReply>) | undefined;

/** Creates the routes of template previews, which respond only to callers on this machine. */
export function createPreviewRoutes(find: () => TemplatePreviews | undefined): PreviewRoutes {
  // A page of another program on this machine can post here, but does not know the token.
  const formToken = randomBytes(18).toString("base64url");
  const page = htmlReply(previewPage(formToken));
  return (request, path, query) => {
    if (!path.startsWith("/previews") || !isFromHere(request)) return undefined;
    const previews = find();
    if (previews === undefined) return undefined;
    const { method } = request;
    const asked = new URLSearchParams(query);
    const name = asked.get("name") ?? "";
    if (method === "POST" && path === "/previews/send")
      return () => send(previews, name, { formToken, request });
    if (method !== "GET" && method !== "HEAD") return undefined;
    if (path === "/previews") return () => page;
    if (path === "/previews.json") return () => listReply(previews, request);
    if (path === "/previews/rendered.json")
      return async () => jsonReply(detailOf(await render(previews, name)));
    if (path === "/previews/html") {
      return async () => htmlFrame((await render(previews, name)).html, { pictures: asked.has("pictures") });
    }
    return undefined;
  };
}

async function render(previews: TemplatePreviews, name: string): Promise<RenderedTemplate> {
  const rendered = await previews.render(name);
  if (rendered === undefined) throw new ServiceError("not_found");
  return rendered;
}

const detailOf = ({ subject, html, text, missing, sampleData }: RenderedTemplate): object => ({
  subject,
  html,
  text,
  missing,
  sample_data: sampleData,
  html_size: Buffer.byteLength(html),
  has_remote_pictures: hasRemotePictures(html),
});

/** The list with an ETag, so that a page that polls need not load it again. */
function listReply(previews: TemplatePreviews, request: WireRequest): WireReply {
  const etag = `"${previews.revision()}"`;
  if (headerOf(request, "if-none-match") === etag) return { status: 304, headers: { etag }, body: "" };
  const reply = jsonReply({ folder: previews.folder, templates: previews.list() });
  reply.headers["etag"] = etag;
  return reply;
}

interface Posted {
  formToken: string;
  request: WireRequest;
}

/** Sends a template if the page has the right token. Throws `forbidden` otherwise. */
async function send(
  previews: TemplatePreviews,
  name: string,
  { formToken, request }: Posted,
): Promise<WireReply> {
  const fields = new URLSearchParams(Buffer.from(await request.readBody(1024)).toString());
  if (fields.get("token") !== formToken)
    throw new ServiceError("forbidden", { message: "The page is out of date: load it again." });
  await previews.send(name);
  return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
}
