// Printed by `npm run docs:routes` from the table of routes.

/** `CalendarObject` of the API. */
export interface CalendarObject {
  /** What it asks for, such as REQUEST. */
  method: string;
  /** From BEGIN:VCALENDAR to END:VCALENDAR. */
  content: string;
}

/** `EmailContent` of the API. */
export interface EmailContent {
  /** The sender. */
  from: Mailbox;
  /** The actual sender, if not `from`; null for none. */
  sender: Mailbox | null;
  /** The recipients. */
  to: Mailbox[];
  /** Further recipients, visible to all. */
  cc: Mailbox[];
  /** Where answers go. */
  reply_to: Mailbox[];
  /** The subject, rendered. */
  subject: string;
  /** The message's date. */
  date: string;
  /** The same at every attempt. */
  message_id: string;
  /** Header fields of the sender's own. */
  headers: HeaderField[];
  /** Empty where it has none. */
  html: string;
  /** Empty where it has none. */
  text: string;
  /** An iCalendar object as an alternative of the text; null where it has none. */
  calendar: CalendarObject | null;
}

/** `HeaderField` of the API. */
export interface HeaderField {
  /** Its name. */
  name: string;
  /** The field's value. */
  value: string;
}

/** `Mailbox` of the API. */
export interface Mailbox {
  /** The name that is shown; empty where there is none. */
  name: string;
  /** The e-mail address. */
  address: string;
}
