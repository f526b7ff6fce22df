// Printed by `npm run docs:routes` from the table of routes.

/** `CalendarObject` of the API. */
export interface CalendarObject {
  /** iTIP method, such as REQUEST. */
  method: string;
  /** The iCalendar text, from BEGIN:VCALENDAR to END:VCALENDAR. */
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
  /** Addresses for replies. */
  reply_to: Mailbox[];
  /** Rendered subject. */
  subject: string;
  /** Date of the message. */
  date: string;
  /** Message-ID, the same at every attempt. */
  message_id: string;
  /** Header fields given by the sender. */
  headers: HeaderField[];
  /** HTML part; empty for none. */
  html: string;
  /** Text part; empty for none. */
  text: string;
  /** iCalendar object, as an alternative of the text; null for none. */
  calendar: CalendarObject | null;
}

/** `HeaderField` of the API. */
export interface HeaderField {
  /** Name. */
  name: string;
  /** Value of the field. */
  value: string;
}

/** `Mailbox` of the API. */
export interface Mailbox {
  /** Displayed name; empty for none. */
  name: string;
  /** The e-mail address. */
  address: string;
}
