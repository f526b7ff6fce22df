/**
 * Attributes, ids and classes that mail programs add to html, such as Outlook's in dark mode and on the web, Apple's
 * around dates, Yahoo's, Gmail's, Samsung's and Thunderbird's, and style attributes, which they change. `u +` stands for
 * Gmail's body, `img + div` for its button at a picture, `noinput` for what some make of an `<input>`; many make links
 * of numbers and addresses, and Outlook.com writes `x_` before classes.
 */
const hooks = [
  String.raw`\[\s*(?:data-ogs[abc]|data-outlook-cycle|owa|office365|x-apple-data-detectors|style|class\s*[~^*]?=\s*["']?x_)`,
  String.raw`\[\s*href\s*[~^*|]?=\s*["']?(?:tel|sms|mailto|x-apple-data-detectors)\b`,
  String.raw`#(?:outlook|MessageViewBody|MessageWebViewDiv)\b`,
  String.raw`\.(?:ExternalClass|ReadMsgBody|yshortcuts|aolReplacedBody|moz-text-html|thread-(?:item|body)|msg-body|undoreset|unstyle-auto-detected-links)\b`,
  String.raw`\.(?:[xg]-gmail|gmail_|Mso)[\w-]*|\.(?:aBn|a6S|im|ii|g-img)(?![\w-])`,
  String.raw`(?:^|[\s>+~])(?:u\s*[+~]|noinput(?![\w-])|img\s*\+\s*div(?![\w-]))`,
].join("|");

/** Matches selectors that name what mail programs add: no template has it, so that the rule must stay as it is. */
export const readersHooks = new RegExp(hooks, "i");
