// Printed by `npm run docs:routes` from the table of routes.

/** `AdministeredUser` of the API. */
export interface AdministeredUser {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Whether the user has proved to own the address. */
  email_verified: boolean;
  /** Whether logins require a two-factor code. */
  two_factor_enabled: boolean;
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** Time of creation. */
  created_at: string;
  /** Your own id for it; null for none. */
  external_id: string | null;
}

/** `Login` of the API. */
export interface Login {
  /** Token, sent as `Authorization: Bearer …`; valid for 24 hours. */
  token: string;
  /** Scheme by which to send the token. */
  token_type: "Bearer";
  /** Time of expiry. */
  expires_at: string;
  /** Id of the token's session. */
  session_id: string;
  /** The user who is logged in. */
  user: User;
}

/** `RevokedSessions` of the API. */
export interface RevokedSessions {
  /** Description of what happened, for people. */
  message: string;
  /** Number of sessions that were ended. */
  revoked: number;
}

/** `Session` of the API. */
export interface Session {
  /** Id. */
  id: string;
  /** User agent that the client sent. */
  user_agent: string;
  /** IP address of the login. */
  ip_address: string;
  /** Time of creation. */
  created_at: string;
  /** Time of expiry. */
  expires_at: string;
  /** Whether it was ended before its expiry. */
  revoked: boolean;
}

/** `TwoFactorSetup` of the API. */
export interface TwoFactorSetup {
  /** Shared secret, for authenticator apps without a camera. */
  secret: string;
  /** otpauth URL, to be shown as a QR code. */
  url: string;
}

/** `User` of the API. */
export interface User {
  /** Id. */
  id: number;
  /** Name. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Whether the user has proved to own the address. */
  email_verified: boolean;
  /** Whether logins require a two-factor code. */
  two_factor_enabled: boolean;
  /** Whether the user administers the platform. */
  is_admin: boolean;
  /** Time of creation. */
  created_at: string;
}
