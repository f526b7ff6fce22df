import { randomBytes } from "node:crypto";
import { ServiceError } from "@posthorn/core";
import type { WireReply, WireRequest } from "../../contract/wire-request.ts";
import { htmlReply, jsonReply, polledReply } from "../../server/replies/plain-reply.ts";
import { assertFormToken } from "../assert-form-token.ts";
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
      return async () => {
        await assertFormToken(request, formToken);
        await previews.send(name);
        return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
      };
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

function listReply(previews: TemplatePreviews, request: WireRequest): WireReply {
  return polledReply(request, previews.revision(), { folder: previews.folder, templates: previews.list() });
}
