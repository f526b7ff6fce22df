// Printed by `npm run docs:routes` from the table of routes.

/** `AdministeredUser` of the API. */
export interface AdministeredUser {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Whether the user has proved that the address is theirs. */
  email_verified: boolean;
  /** Whether logins ask for a code. */
  two_factor_enabled: boolean;
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** When it was made. */
  created_at: string;
  /** An id of your own for it; null where it has none. */
  external_id: string | null;
}

/** `Login` of the API. */
export interface Login {
  /** Sent as `Authorization: Bearer …`. Lasts 24 hours. */
  token: string;
  /** How to send the token. */
  token_type: "Bearer";
  /** When it ends. */
  expires_at: string;
  /** The session that the token belongs to. */
  session_id: string;
  /** Who is logged in. */
  user: User;
}

/** `RevokedSessions` of the API. */
export interface RevokedSessions {
  /** What happened, in words for people. */
  message: string;
  /** How many sessions were ended. */
  revoked: number;
}

/** `Session` of the API. */
export interface Session {
  /** Its id. */
  id: string;
  /** The client's user agent, as it said. */
  user_agent: string;
  /** Where the login came from. */
  ip_address: string;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string;
  /** Whether it was ended before its time. */
  revoked: boolean;
}

/** `TwoFactorSetup` of the API. */
export interface TwoFactorSetup {
  /** The shared secret, for authenticator apps without a camera. */
  secret: string;
  /** An otpauth URL, to be shown as a QR code. */
  url: string;
}

/** `User` of the API. */
export interface User {
  /** Its id. */
  id: number;
  /** Its name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Whether the user has proved that the address is theirs. */
  email_verified: boolean;
  /** Whether logins ask for a code. */
  two_factor_enabled: boolean;
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** When it was made. */
  created_at: string;
}
