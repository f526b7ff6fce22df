import type { Page } from "../server/replies/plain-reply.ts";
import type { ServedPosthorn } from "../server/served-posthorn.ts";
import { pageFrame } from "./page-frame.ts";

/** A page that a link in an e-mail leads to. */
export interface AccountPage {
  page: Page;
  /** Shown for an address without a token, with which a form would be useless. */
  incomplete: Page;
}

/** What pages say about a new password beforehand. */
export type PasswordRule = Pick<ServedPosthorn["config"], "passwordMinLength">;

/** Shared by the pages: removes the token from the address bar at once, and calls the API. */
const prelude = `
const token = new URLSearchParams(location.search).get("token");
history.replaceState(null, "", location.pathname);
const byId = (id) => document.getElementById(id);
const say = (text, fault) => { const at = byId("said"); at.textContent = text; at.className = fault ? "fault" : ""; };
const call = async (path, fields, bearer) => {
  const headers = { "content-type": "application/json" };
  if (bearer) headers.authorization = "Bearer " + bearer;
  const sent = fetch("../api/v1" + path, { method: "POST", headers, body: JSON.stringify(fields) });
  const answer = await sent.catch(() => new Response("", { status: 503 }));
  const body = await answer.json().catch(() => ({}));
  if (answer.ok) return body.data;
  const { message = "The service can't be reached.", code, details } = body.error ?? {};
  throw Object.assign(new Error(message), { code, details });
};
const fieldIds = { two_factor_code: "code", new_password: "password" };
const sayFault = (error) => {
  const faults = Array.isArray(error.details) ? error.details : [];
  const found = faults.map(({ path, message }) => ({ field: byId(fieldIds[path] ?? path), message }));
  const { field, message } = found.find((each) => each.field?.labels) ?? {};
  const link = faults.find(({ path }) => path === "token" || path === "invitation_token");
  const isOver = link !== undefined || /^(?:not_found|already_member|invitation_(?:expired|not_pending))$/.test(error.code);
  for (const form of isOver ? document.querySelectorAll("#form, #decide") : []) form.hidden = true;
  if (!field) { say(link ? "This link " + link.message + "." : error.message, true); return; }
  say(field.labels[0].textContent + ": " + message + ".", true);
  point(field);
};
// Screen readers read what describes a field even where it is hidden.
const mark = (field, isFaulty) => {
  if (isFaulty) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid");
  const rule = field.type === "password" && !byId("least").hidden ? ["least"] : [];
  field.setAttribute("aria-describedby", [...(isFaulty ? ["said"] : []), ...rule].join(" "));
};
const point = (field) => { mark(field, true); field.focus(); };
const forget = () => document.querySelectorAll("[aria-invalid]").forEach((each) => mark(each, false));
const showRule = (isShown) => { byId("least").hidden = !isShown; mark(byId("password"), false); };
// A disabled button would lose the focus, and could not be given it.
const busy = async (work) => {
  if (document.body.className === "busy") return;
  document.body.className = "busy";
  forget();
  let failed;
  try { await work(); } catch (error) { failed = error; }
  document.body.className = "";
  if (failed) sayFault(failed);
};
`;

const said = '<p id="said" role="status" aria-live="polite"></p>';
const least = (passwordMinLength: number, isHidden = false): string =>
  `<small id="least"${isHidden ? " hidden" : ""}>At least ${passwordMinLength} characters.</small>`;
/** A form that did nothing would end at the page of an incomplete link. */
const noScript = "<noscript><p>This page needs JavaScript.</p><style>form{display:none}</style></noscript>";

/**
 * Verifies an address with the account's password, or a new one. It does not do so by itself: a mail scanner that opens
 * links would use up the token.
 */
export function verifyEmailPage({ passwordMinLength }: PasswordRule): AccountPage {
  const script = `${prelude}
let fresh = false;
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const password = byId("password").value;
  busy(async () => {
    const user = await call("/auth/verify-email", fresh ? { token, new_password: password } : { token, password });
    byId("form").hidden = true;
    say("The address " + user.email + " is verified. You can close this page.");
  });
});
byId("other").addEventListener("click", () => {
  fresh = !fresh;
  byId("label").textContent = fresh ? "New password" : "Your password";
  byId("password").autocomplete = fresh ? "new-password" : "current-password";
  showRule(fresh);
  byId("other").textContent = fresh ? "I know the password" : "I don't know it, or somebody else opened this account";
  byId("password").focus();
});`;
  const form = `<form id="form"><label for="password" id="label">Your password</label>
<input id="password" type="password" autocomplete="current-password" required maxlength="256">
${least(passwordMinLength, true)}
<button>Verify the address</button>
<button id="other" type="button" class="plain">I don't know it, or somebody else opened this account</button></form>`;
  return made({
    title: "Verify your e-mail address",
    form,
    script,
    otherwise: "You can request another e-mail where you log in.",
  });
}

/** Sets a new password. */
export function resetPasswordPage({ passwordMinLength }: PasswordRule): AccountPage {
  const script = `${prelude}
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  forget();
  if (byId("password").value !== byId("again").value) {
    say("The passwords do not match.", true);
    point(byId("again"));
    return;
  }
  busy(async () => {
    await call("/auth/reset-password", { token, password: byId("password").value });
    byId("form").hidden = true;
    say("The password has been changed. Log in with it.");
  });
});`;
  const form = `<form id="form"><label for="password">New password</label>
<input id="password" type="password" autocomplete="new-password" required maxlength="256" aria-describedby="least">
${least(passwordMinLength)}
<label for="again">Repeat the new password</label>
<input id="again" type="password" autocomplete="new-password" required maxlength="256">
<button>Change the password</button></form>`;
  return made({
    title: "Choose a new password",
    form,
    script,
    otherwise: "You can request another e-mail where you log in.",
  });
}

/** Lets an invitee log in or create an account, and then accept or decline. */
export function invitationPage({ passwordMinLength }: PasswordRule): AccountPage {
  const script = `${prelude}
let bearer;
const settle = (verb) => () => busy(async () => {
  try {
    const done = await call("/invitations/" + verb, { token }, bearer);
    byId("decide").hidden = true;
    say(done.message);
  } catch (error) {
    // Logged in with another account: the token is no longer in the address bar, for a reload.
    if (error.code === "invitation_for_another_user") {
      byId("decide").hidden = true;
      byId("form").hidden = false;
      byId("email").focus();
    }
    throw error;
  }
});
const logIn = async () => {
  const fields = { email: byId("email").value, password: byId("password").value };
  if (byId("code").value !== "") fields.two_factor_code = byId("code").value;
  try {
    bearer = (await call("/auth/login", fields)).token;
  } catch (error) {
    if (error.code === "two_factor_required") { byId("second").hidden = false; byId("code").focus(); }
    throw error;
  }
  byId("form").hidden = true;
  byId("decide").hidden = false;
  say("You are logged in. Do you want to join?");
  byId("accept").focus();
};
const register = async () => {
  const fields = {
    name: byId("name").value, email: byId("email").value, password: byId("password").value, invitation_token: token,
  };
  await call("/auth/register", fields);
  choose(false);
  await logIn();
};
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  busy(byId("who").hidden ? logIn : register);
});
const lead = byId("lead").textContent;
const choose = (opens) => {
  byId("who").hidden = !opens;
  byId("name").required = opens;
  byId("lead").textContent = opens ? "Create an account for the address that the invitation was sent to." : lead;
  byId("go").textContent = opens ? "Create the account" : "Log in";
  byId("new").textContent = opens ? "I have an account" : "I have no account yet";
  byId("password").autocomplete = opens ? "new-password" : "current-password";
  showRule(opens);
  forget();
  say("");
};
byId("new").addEventListener("click", () => choose(byId("who").hidden));
byId("accept").addEventListener("click", settle("accept"));
byId("decline").addEventListener("click", settle("decline"));`;
  const form = `<form id="form"><p id="lead">Log in with the address that the invitation was sent to.</p>
<div id="who" hidden><label for="name">Your name</label><input id="name" autocomplete="name" maxlength="100"></div>
<label for="email">E-mail address</label><input id="email" type="email" autocomplete="username" required>
<label for="password">Password</label><input id="password" type="password" autocomplete="current-password" required>
${least(passwordMinLength, true)}
<div id="second" hidden><label for="code">Two-factor code, or a recovery code</label>
<input id="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false"></div>
<button id="go">Log in</button>
<button id="new" type="button" class="plain">I have no account yet</button></form>
<div id="decide" hidden><button id="accept" type="button">Accept the invitation</button>
<button id="decline" type="button" class="plain">Decline</button></div>`;
  return made({
    title: "You are invited",
    form,
    script,
    otherwise: "Or ask the person who invited you for another invitation.",
  });
}

interface Parts {
  title: string;
  form: string;
  script: string;
  /** Advice for when the link in the e-mail is incomplete, too. */
  otherwise: string;
}

function made({ title, form, script, otherwise }: Parts): AccountPage {
  // The page takes the token out of the address, so that a reload, or a way back, leads here too.
  const words = `The end of the link is missing: it was cut off, or this page was loaded again. Open the link again from the e-mail, or copy all of it. ${otherwise}`;
  return {
    page: {
      html: pageFrame(title, `${noScript}${said}${form}<script>${script}</script>`),
      scripts: [script],
    },
    incomplete: { html: pageFrame(title, `<p>${words}</p>`), status: 400 },
  };
}
