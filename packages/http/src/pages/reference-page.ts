import type { WireReply } from "../contract/wire-request.ts";
import { type DocumentReply, packedDocumentReply } from "../server/replies/document-reply.ts";
import { htmlReply } from "../server/replies/plain-reply.ts";
import { icon } from "./logo.ts";
import { referenceFixes } from "./reference-fixes.ts";

/** A program that renders the OpenAPI document, served beside `/docs`: nothing is loaded from elsewhere. */
export interface ReferenceProgram {
  /** The browser build of Scalar's API reference, compressed with gzip; read on first request. */
  script(): Promise<Uint8Array<ArrayBuffer>>;
}

/** Path of the program, relative to `/docs`. */
export const referenceScriptPath = "/docs/reference.js";

const configuration = {
  url: "openapi.json",
  theme: "default",
  layout: "modern",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hiddenClients: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenFirstTag: true,
  orderRequiredPropertiesFirst: true,
  orderSchemaPropertiesBy: "preserve",
  authentication: { preferredSecurityScheme: "api_key" },
  documentDownloadType: "direct",
  operationTitleSource: "summary",
  // The theme's own greys and method colours have too little contrast for text.
  customCss: `.light-mode{--scalar-color-accent:#8a5a00;--scalar-color-2:#5f5f5f;--scalar-color-3:#6b6b6b;--scalar-color-green:#006c43;--scalar-color-blue:#00619c;--scalar-color-yellow:#7a5b00;--scalar-color-orange:#b03a00;--scalar-color-red:#c0182d}
.dark-mode{--scalar-color-accent:#ffd15c;--scalar-color-3:#929292}
:root{--scalar-font:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;--scalar-font-code:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}`,
};

const start = `${referenceFixes}Scalar.createApiReference("#reference", ${JSON.stringify(configuration)});`;

/** Path of the plain page, beside `/docs`. */
export const plainReferencePath = "/docs.html";

/** Renders the page in which the program runs; until then, and without JavaScript, it leads to the plain page. */
export function referencePage(): WireReply {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
${icon}<title>Reference · Posthorn</title></head>
<body><main id="until-shown" style="font-family:system-ui,sans-serif;margin:2rem"><h1>Reference</h1><p>It appears here once its program has run, which takes a moment and needs JavaScript. The <a href="docs.html">plain page</a> has everything that is in it, and <a href="openapi.json">openapi.json</a> is the document.</p></main><div id="reference"></div>
<script src="docs/reference.js"></script><script>${start}</script></body></html>`;
  return htmlReply({
    html,
    scripts: [start],
    ownScripts: true,
    policy: ["img-src data: blob:", "font-src data:"],
  });
}

/** Creates the response with the script. */
export async function createReferenceScriptReply(program: ReferenceProgram): Promise<DocumentReply> {
  const headers = { "content-type": "text/javascript; charset=utf-8", "x-content-type-options": "nosniff" };
  return packedDocumentReply(headers, await program.script());
}
