/**
 * Returns the names, in lower case, of the header fields that a mail server replaces with its own. Amazon SES writes its
 * own Date and Message-ID, so a signature over them fails at every recipient.
 */
export function replacedFields(host: string): readonly string[] {
  return /(?:^|\.)email-smtp(?:-fips)?\.(?:[a-z0-9-]+\.)+amazonaws\.com(?:\.cn)?$/i.test(host)
    ? ["date", "message-id"]
    : [];
}
