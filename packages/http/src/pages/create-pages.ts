import type { WireReply, WireRequest } from "../contract/wire-request.ts";
import { htmlReply } from "../server/replies/plain-reply.ts";
import {
  type AccountPage,
  invitationPage,
  type PasswordRule,
  resetPasswordPage,
  verifyEmailPage,
} from "./account-pages.ts";
import { type DevelopmentHome, homePage } from "./home-page.ts";
import type { CaptureInbox } from "./inbox/capture-inbox.ts";
import { createInboxRoutes } from "./inbox/inbox-routes.ts";
import { isFromHere } from "./is-from-here.ts";
import { pageFrame } from "./page-frame.ts";
import { createPreviewRoutes } from "./previews/preview-routes.ts";
import type { TemplatePreviews } from "./previews/template-previews.ts";

export interface PagesOptions {
  /**
   * Captured mail, shown at `/inbox` to callers on this machine. Behind a proxy that tells no client's address, all seem to
   * be: only for a server bound to loopback, without a proxy. Default: there is no such page.
   */
  inbox?: CaptureInbox | undefined;
  /** Content of `/` on a development server, for callers on this machine. Default: there is no such page. */
  home?: (() => DevelopmentHome | undefined) | undefined;
  /** Template folder to show on a development server, for callers on this machine. Default: there is no such page. */
  previews?: (() => TemplatePreviews | undefined) | undefined;
}

export interface Pages {
  /** Finds the handler of a page's path; `undefined` for any other path. */
  find(request: WireRequest, path: string, query: string): (() => WireReply | Promise<WireReply>) | undefined;
  /** Returns the methods of the path of a page for accounts, as in `Allow`; `undefined` for any other path. */
  allow(path: string): string | undefined;
}

const accountPages: Record<string, (rule: PasswordRule) => AccountPage> = {
  "/app/verify-email": verifyEmailPage,
  "/app/reset-password": resetPasswordPage,
  "/app/invitations": invitationPage,
};

/** Creates the pages that links in e-mails lead to if no front end is configured, and the pages of captured mail. */
export function createPages({ inbox, home, previews }: PagesOptions, rule: PasswordRule): Pages {
  const replies = new Map(
    Object.entries(accountPages).map(([path, make]) => {
      const { page, incomplete } = make(rule);
      return [path, { page: htmlReply(page), incomplete: htmlReply(incomplete) }];
    }),
  );
  const findInInbox = inbox && createInboxRoutes(inbox, () => previews?.() !== undefined);
  const findPreview = previews && createPreviewRoutes(previews);
  const noPreviews = home && !previews ? htmlReply({ html: noFolderPage, status: 404 }) : undefined;
  return {
    find(request, path, query) {
      const { method } = request;
      const reads = method === "GET" || method === "HEAD";
      const reply = reads ? replies.get(path) : undefined;
      if (reply !== undefined)
        return () => (new URLSearchParams(query).get("token") ? reply.page : reply.incomplete);
      const shown = reads && path === "/" && isFromHere(request) ? home?.() : undefined;
      if (shown !== undefined)
        return () => htmlReply(homePage({ ...shown, templates: previews?.()?.folder }));
      if (noPreviews !== undefined && reads && path === "/previews" && isFromHere(request))
        return () => noPreviews;
      return findInInbox?.(request, path, query) ?? findPreview?.(request, path, query);
    },
    allow: (path) => (replies.has(path) ? "GET, HEAD, OPTIONS" : undefined),
  };
}

/** Page of the previews on a development server that watches no folder. */
const noFolderPage = pageFrame(
  "No folder of templates",
  `<p>This server was started without one. To see templates here as they would be sent, and updated when you save, name
their folder:</p><p><code>posthorn dev mail/</code></p><p><a href="./">Back</a></p>`,
);
