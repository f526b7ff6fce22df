import { escapeHtml, type Page } from "../server/replies/plain-reply.ts";
import { icon, logo } from "./logo.ts";

/** What a development server created at its first start. */
export interface DevelopmentHome {
  /** URL of the server, without a trailing slash. */
  url: string;
  /** API key of the workspace. */
  apiKey: string;
  /** Login of the workspace's owner. */
  login: { email: string; password: string };
  /** Id of the created workspace. */
  workspaceId: number;
}

const script = `
for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}`;

/** Renders the first page of a development server: the next steps, with its own values filled in. */
export function homePage({
  url,
  apiKey,
  login,
  workspaceId,
  templates,
}: DevelopmentHome & { templates: string | undefined }): Page {
  const curl = `curl ${url}/api/v1/emails/send-template \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{"template":"welcome","to":["ada@example.com"],"template_data":{"name":"Ada"}}'`;
  const fetched = `await fetch("${url}/api/v1/emails/send-template", {
  method: "POST",
  headers: {
    authorization: "Bearer ${apiKey}",
    "content-type": "application/json",
  },
  body: JSON.stringify({
    template: "welcome",
    to: ["ada@example.com"],
    template_data: { name: "Ada" },
  }),
});`;
  const rows = [
    ["API key", apiKey],
    ["Login", login.email],
    ["Password", login.password],
    ["Workspace", String(workspaceId)],
  ];
  const known = rows.map(
    ([name = "", value = ""]) =>
      `<div><dt>${name}</dt><dd><code>${escapeHtml(value)}</code><button type="button">Copy</button></dd></div>`,
  );
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${icon}<title>Posthorn: development server</title><style>${style}</style></head>
<body><main><header>${logo}<h1>Posthorn is running</h1><p>E-mails are captured on this machine and not sent. The login and the API key stay the same after a restart.</p></header>
<nav><a href="inbox"><b>Inbox</b><span>Every e-mail as it would have arrived</span></a>
${
  templates === undefined
    ? ""
    : `<a href="previews"><b>Templates</b><span>From the folder ${escapeHtml(templates)}, updated when you save</span></a>
`
}<a href="docs"><b>Reference</b><span>Every API call, with an example to copy</span></a></nav>
<h2>Send your first e-mail</h2>${snippet("From a shell", curl)}${snippet("From JavaScript", fetched)}
<p>Then open the <a href="inbox">inbox</a>.</p>
<h2>Your credentials</h2><dl>${known.join("")}</dl>
</main><script>${script}</script></body></html>`;
  return { html, scripts: [script], policy: ["img-src data:"] };
}

const snippet = (title: string, code: string): string =>
  `<h3>${title}</h3><div class="code"><pre tabindex="0"><code>${escapeHtml(code)}</code></pre><button type="button">Copy</button></div>`;

const style = `:root{color-scheme:light dark;--ink:#1d2129;--quiet:#5b6270;--edge:#e3e5ea;--soft:#f5f6f8;--paper:#fff;--accent:#8a5a00;--brand:#ffc629}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a2a9b4;--edge:#33373f;--soft:#1b1e24;--paper:#14161a;--accent:#ffd15c}}
*{box-sizing:border-box}body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;color:var(--ink);background:var(--paper)}
main{max-width:46rem;margin:0 auto;padding:3.5rem 1.25rem 4rem}header svg{width:3.4rem;height:3.4rem;padding:.6rem;border-radius:.8rem;background:var(--brand);color:#1d2129}
h1{font-size:1.9rem;margin:1rem 0 .25rem}header p{color:var(--quiet);margin:0}h2{font-size:1.15rem;margin:2.5rem 0 .5rem}h3{font-size:.9rem;color:var(--quiet);font-weight:500;margin:1rem 0 .35rem}
nav{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.75rem;margin-top:1.75rem}nav a{display:block;padding:.9rem 1.1rem;border:1px solid var(--edge);border-radius:.7rem;text-decoration:none;color:inherit}nav a:hover{border-color:var(--accent)}nav span{display:block;color:var(--quiet);font-size:.92rem}
a{color:var(--accent)}.code,dd{position:relative}pre{margin:0;padding:.9rem 4.75rem .9rem 1rem;background:var(--soft);border:1px solid var(--edge);border-radius:.6rem;overflow-x:auto}code{font:13px/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
button{font:inherit;font-size:.8rem;border:1px solid var(--edge);border-radius:.4rem;background:var(--paper);color:var(--quiet);padding:.1rem .6rem;cursor:pointer}.code button{position:absolute;top:.6rem;right:.6rem}button:hover{color:var(--ink)}@media (scripting:none){button{display:none}}@media (max-width:34rem){pre{padding:2.6rem 1rem .9rem}}
dl{margin:0}dl div{display:flex;gap:1rem;padding:.45rem 0;border-bottom:1px solid var(--edge);align-items:baseline}dt{width:6rem;color:var(--quiet);flex:none}dd{margin:0;display:flex;flex:1;gap:.75rem;justify-content:space-between;align-items:flex-start;min-width:0}dd code{overflow-wrap:anywhere}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;
