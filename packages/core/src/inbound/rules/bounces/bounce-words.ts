import { fullAbroad, unknownAbroad } from "./foreign-words.ts";

type Words = Pick<RegExp, "test">;

/** Words that are found if one of several patterns matches. */
const anyOf = (...patterns: readonly Words[]): Words => ({
  test: (text) => patterns.some((one) => one.test(text)),
});
/** Words for a mailbox that does not exist. To Exim, an address is unrouteable if it lacks the mailbox or the domain. */
export const unknownUser = anyOf(
  /user unknown|unknown (?:user|recipient|mailbox|(?:e-?mail )?address|local[- ]part)\b|(?:user|recipient|mailbox|address(?:ee)?|account)(?: name)?(?: of| for)?(?: \S+)? (?:is |was )?(?:not found|unknown|does ?n[o']t exist|not exist|invalid|not known|undeliverable)|no such (?:user|recipient|mailbox|address|account|person)\b|(?:\b(?:user|recipient|destination|mail ?box|e-?mail|address|account|alias|name|person|part|(?<!message-)id)\b|@)[^.;:!]{0,40} does ?n[o']t exist|^(?:\d{3} )?(?:#?[\d.]+ )?does ?n[o']t exist|no mailbox (?:here )?by that name|no mailbox here|not a (?:valid|known) (?:user|recipient|mailbox)|invalid (?:recipient|mailbox|address|user)\b(?! count)|(?:user|recipient) rejected: (?:user )?unknown|not our customer|doesn't have an? .*account|recipnotfound|recipientnotfound|no account by that name|not listed in domino directory|non-?existent (?:user|recipient|mailbox|address|account)\b|unrouteable address/i,
  unknownAbroad,
);

/**
 * Words about the sender's address, whatever else they say: servers quote what its own server replied, such as `550
 * 5.1.1 User unknown`. Not what Exim quotes of a recipient's server as `Callout verification failed:`, where it quotes the
 * sender's as `Response:`.
 */
export const senderRefused = anyOf(
  /sender verif(?:y|ication)|verify (?:(?:the|your|envelope) )*(?:sender|from)\b|(?<!recipient (?:verify )?)(?!(?<=^(?:\d{3}[ -])?)callout verification failed:)\bcall(?:back|out)\b|\b(?:return|reverse)[- ]path\b|\benvelope[- ](?:sender|from)\b|\breply-to\b|\b(?:from|sender):? (?:header|field)|\bheader:? (?:from|sender)\b|\bhelo command rejected|(?<!recipient )verification failed for(?! recipient)|sender address rejected|domain of (?:the )?sender|invalid dns mx or a\b|\breverse (?:dns|lookup|host)|client host (?:name|rejected)|\b(?:helo|ehlo) (?:name|host)|(?:unable to|can(?:no|')t|could not) verify (?:your|<?\S+@)|address verification of/i,
  /\b(?:bad|invalid|malformed|illegal) (?:sender|from|return)\b|\(sender\)|unknown sender|\bsend(?:ing)? from\b|\bfrom (?:an? )?(?:unknown|non-?existent|unverified|external|strangers|outside)\b|external senders|\b(?:address|mailbox|user|account|domain):? mail from\b/i,
  // Its domain's records.
  /\b(?:sender(?:'?s)?|sending|your)(?: \w+){0,2} has (?:an? |no )?(?:null ?)?mx\b|\b(?:mx|dns)(?: records?)? (?:for|of) (?:the |your )?sender/i,
  // A missing address of the sender, or one that its domain should have.
  /(?:(?:\bsender(?:'?s)?|\bfrom|\byour|\bhelo|\bbounces?|\bsending|\borigin(?:at\w+)?|\bx-sender|\berrors-to|\bcontact) (?:e-?mail |mail )?(?:address|domain(?: name)?|mailbox|account|user)(?: \S+)?|\bsender|\b(?:postmaster|abuse)(?:@\S+)?(?: address| mailbox)?) (?:is |was )?(?:does ?n[o']t exist|not exist|not found|unknown|invalid|not (?:a )?valid|unresolvable|disabled)|no such user:? (?:postmaster|abuse)\b/i,
);
/** Words for a domain that does not exist or takes no mail from anybody. */
export const noDomain =
  /\bdomain (?:name )?(?:\S+ )?does ?n[o']t (?:exist|accept mail(?=\s*(?:[.,;!(]|$)))|no such domain|indicated no smtp service|null ?mx/i;
const partOfMessage =
  /\b(?:header|subject|whois|list-unsubscribe|url|link|(?:recipient|address|mailing|your) list)\b|\bin (?:the )?(?:to|cc|bcc)\b/i;
/** Words for an address or domain that is missing, but named in the message or elsewhere. */
export const messagePart = {
  test: (text: string): boolean =>
    partOfMessage.test(text) && (unknownUser.test(text) || noDomain.test(text)),
};
/** Words for a mailbox that is not in use. */
export const inactive =
  /(?:mailbox|account|user|recipient)(?: of| for)?(?: \S+)? (?:is |has been |was )?(?:disabled|inactive|deactivated|suspended|locked|closed|expired|discontinued|not active|no longer (?:active|in use|available|valid))|(?:inactive|disabled|deactivated) (?:user|mailbox|account|recipient)/i;
/** Words for a full mailbox. */
export const full = anyOf(
  /(?:mailbox|mail box|inbox|storage|quota|account|user)\S* (?:is |has |are )?(?:full|exceeded|over ?quota|out of (?:space|storage))|over ?(?:its |the |their )?quota|quota (?:is )?exceed|exceed\w* (?:\S+ ){0,3}(?:quota|storage)|insufficient (?:system )?storage|quota violation|not enough (?:disk )?(?:space|storage)|mailfolder is full|mailbox size limit/i,
  // Whose mailbox it is may stand between.
  /\b(?:mailbox|mail box|inbox|account|user)(?: of| for)?(?: the)?(?: user| recipient| account)? \S+ (?:is |has |are )?(?:full|over ?quota|out of (?:space|storage))\b/i,
  fullAbroad,
);
/** Words for a bad reputation of the sender. */
export const listed =
  /spamhaus|spamcop|barracuda|sorbs|proofpoint|cloudmark|senderscore|\b(?:dns)?(?:rbl|bl|wl)\b|block ?list|black ?list|blocked using|deny ?list|is listed|(?:poor|bad|low|sender|ip|domain) reputation|reputation (?:of|is|for)|banned sending ip|ip (?:address )?(?:is |has been )?(?:blocked|banned|listed)|blocked (?:by|for|because|due)|part of their network is on our block list/i;
/** Words for mail that is not authenticated. */
export const unauthenticated =
  /\b(?:dmarc|dkim|spf)\b|unauthenticated (?:e-?mail|sender)|(?:e-?mail|sender|message) (?:is |was )?(?:not authenticated|unauthenticated)|authentication (?:check|requirement|information|results?)|reverse dns|\bptr\b|forged|spoof|\b(?:helo|ehlo|rdns)\b|your host ?name/i;
/** Words for mail that looks like spam. */
export const spamWords = /\bspam\b|unsolicited|\buce\b|bulk (?:e-?)?mail|junk|phish/i;
/** Words for an unwanted attachment. */
export const attachmentWords =
  /attachment|file type|file extension|executable|virus|malware|trojan|infected|macro/i;
/** Words for a server that does not relay for us. */
export const relayDenied =
  /relay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:allowed|permitted)|prohibited|disabled)|(?:unable|not (?:allowed|permitted)|cannot|refus\w*|won't) (?:to )?relay|no relay|relay not|not (?:a |an )?(?:open )?relay|rejected relay|relaying mail to|does not relay|domain (?:is )?not (?:hosted|local|handled|in my list)|not in my list of allowed rcpthosts|allowed rcpthosts|we do not relay/i;
/** Words for a sender address that we may not use. */
export const notAuthorised =
  /not (?:authori[sz]ed|allowed|permitted) to (?:send|use|submit)|send ?as ?denied|sender (?:address )?(?:is )?not (?:allowed|owned|authori[sz]ed|verified)|not owned by user|(?:address|identit\w*|domain|sender) (?:is |are )?not verified|failed the check in region|not match (?:the )?(?:authenticated|login)|client (?:host |was )?(?:not authori[sz]ed|not authenticated)|(?:\byour|\bsender(?:'?s)?|\bsending|\bsmtp) (?:\S+ )?account (?:is |has been |was )?(?:\w+ly )?(?:disabled|suspended|locked|blocked|closed|deactivated|expired|inactive|not active)/i;
const spf =
  /(?<!\b(?:add|set up|publish) (?:an |the |your )?)\bspf\b|openspf|sender policy framework|\d\.\d{1,3}\]? (?:is |was )?not (?:authori[sz]ed|allowed|permitted) to (?:send|use)/i;
/**
 * Words for a server that the sender's SPF record does not name: those of an address that we may not use, and SPF or an
 * IP address.
 */
export const spfRefused = { test: (text: string): boolean => spf.test(text) && notAuthorised.test(text) };
/** Words for a required login. */
export const loginWanted =
  /authentication (?:is )?(?:required|needed|failed|unsuccessful)|auth(?:enticate)? first|must (?:be authenticated|authenticate|issue a starttls)|smtp auth|log ?in first|(?:bad|invalid|incorrect|wrong|missing|configure|check) (?:your )?(?:\w+ )?credentials|\b(?:your|invalid|unknown) api[- ]key\b|\b(?:smtp|authenticat\w+) user|username and password not accepted/i;
/** Words for a message that is too large. */
export const tooLarge =
  /(?:message|mail)(?: size| is)? (?:exceeds|too (?:big|large)|larger than)|message size (?:limit|exceed)|message_?size_?limit/i;
/** Words for a refusal by rule. */
export const policyWords = /polic(?:y|ies)|blocked|prohibited|administrative/i;
/** Words for an e-mail that was given up after many attempts, whatever the last reply said. */
export const expired =
  /\b(?:delivery|message|mail|queue) ?\.?(?:time )?(?:has |was )?expired\b|\bmessage timeout \(exceeded max time/i;
/** Words for a fault that may pass, or an e-mail that was given up after many. */
export const passing = anyOf(
  /temporar(?:y|ily)|(?:try|retry) (?:again )?later|internal (?:server )?error|local error|(?:delivery|message|mail) (?:time )?(?:has )?timed out|given up/i,
  expired,
);
/** Words for a host that can't be found, if they are all that is said. Whose it is remains open. */
export const noHost = /^(?:\d{3} )?(?:<?x@x>?(?:\.{3}|:)? )?host (?:unknown|not found)\b/i;
/** Words for limits that are reported as if a mailbox were at fault. */
export const limitedMailbox = anyOf(
  /receiving (?:e-?)?mail at a rate|(?:sending|daily|hourly|monthly|relay|outgoing|outbound) (?:\w+ )?(?:quota|limit) (?:is |was |has been )?exceed|\brate[- ]?limit|throttl|exceeded the max(?:imum)? (?:e-?mails|defers and failures) per hour/i,
  // Of the sender, whoever the recipient is.
  /\b(?:your|sender(?:'?s)?|sending|outbound) (?:e-?mail |mail |smtp |hosting )?(?:account|mail ?box|quota)(?: \S+)? (?:is |has |been )*(?:full|over|exceeded)/i,
  /too many (?:(?:invalid|unknown|bad|non-?existent) )?(?:recipient|user|address|mailbox)|harvest|(?:user|recipient|mailbox)s? unknown (?:ratio|rate)|(?:unknown|invalid|non-?existent) (?:user|recipient|address|mailbox)(?:e?s)? (?:ratio|rate)|\d ?% of (?:your|the|all) (?:mail|message|recipient|address)/i,
);
/** Words for a request to retry later. */
export const greylisting = /gr[ea]y-?list|gr[ea]ylisted|postgrey/i;
/** Words for exceeded limits. */
export const limiting =
  /rate|throttl|too many|too much|too fast|too frequent|limit|slow down|deferred due to (?:user complaints|unexpected volume)|unusual|exceeded the (?:rate|limit|maximum)|queue too long/i;
/** Words for a name that can't be resolved. */
export const noName =
  /host or domain name not found|name service error|no mx|mx record|domain (?:name )?not found|host (?:not found|unknown)|unrouteable|nxdomain|no such domain|unresolvable|mx lookup|unable to look up host|name or service not known/i;
/** Words for a name that can't be resolved, or a failed look-up. */
export const noRoute = anyOf(noName, /\bdns\b/i);
/** Words for a failed connection. */
export const noConnection =
  /connect(?:ion)?|timed? ?out|unreachable|no route to host|refused|network|greeting|tls|certificate|lost/i;
