import type { Registration } from "@posthorn/core";
import { captureUrl } from "../service/capture-url.ts";
import { optional, type Setting, setting } from "./setting.ts";
import {
  bearerToken,
  database,
  flag,
  keyFiles,
  level,
  levels,
  number,
  proxies,
  registration,
  registrations,
  url,
  webOrigins,
} from "./setting-readers.ts";

const text = (value: string): string => value;

/** Every setting, by its name in `posthorn.config.json`. */
export const settings = {
  database_url: setting({
    env: "SERVICE_DATABASE_URL",
    flag: "database-url",
    value: "url",
    describes: "the database: sqlite:FILE or postgres://…",
    holdsSecret: true,
    example: "sqlite:./posthorn.db",
    read: database,
    fallback: "sqlite:./posthorn.db",
  }),
  database_listen_url: optional({
    env: "SERVICE_DATABASE_LISTEN_URL",
    describes: "a direct way to the same PostgreSQL, to hear of news past a pooler in transaction mode",
    secret: true,
    example: "postgres://posthorn@db.example.com:5432/mail",
    read: url("postgres:", "postgresql:"),
  }),
  secret_key: optional({
    env: "SERVICE_SECRET_KEY",
    describes: "encrypts secrets and signs logins; made beside a SQLite file, required with PostgreSQL",
    secret: true,
    example: "the output of: openssl rand -base64 48",
    read: text,
  }),
  former_secret_keys: optional({
    env: "SERVICE_FORMER_SECRET_KEYS",
    describes:
      "keys that were replaced, with blanks between them: links to unsubscribe made with them go on working",
    secret: true,
    example: "the former value of SERVICE_SECRET_KEY",
    read: text,
  }),
  base_url: optional({
    env: "SERVICE_BASE_URL",
    flag: "base-url",
    value: "url",
    describes: "where the service is reached (default: its own address)",
    example: "https://mail.example.com",
    read: url("http:", "https:"),
  }),
  app_url: optional({
    env: "SERVICE_APP_URL",
    flag: "app-url",
    value: "url",
    describes: "the front end that links in e-mails lead to (default: the server's own pages)",
    example: "https://app.example.com/mail",
    read: url("http:", "https:"),
  }),
  workspace: optional({
    env: "SERVICE_WORKSPACE",
    describes: "the workspace of commands without --workspace (default: the only one there is)",
    example: "Shop",
    read: text,
  }),
  single_workspace: optional({
    env: "SERVICE_SINGLE_WORKSPACE",
    describes:
      "the name of the only workspace, made where it is not there: requests and commands need not name it",
    example: "Shop",
    read: text,
  }),
  host: setting({
    env: "SERVICE_HOST",
    flag: "host",
    value: "address",
    describes: "the address to listen on",
    example: "127.0.0.1",
    read: text,
    fallback: "127.0.0.1",
  }),
  port: setting({
    env: "SERVICE_PORT",
    flag: "port",
    value: "number",
    describes: "the port to listen on; 0 takes a free one",
    example: "8080",
    read: number(0, 65_535),
    fallback: 8080,
  }),
  smtp_url: optional({
    env: "SERVICE_SMTP_URL",
    describes: "the mail server; capture: keeps mail instead of sending it",
    secret: true,
    example: "smtp://user:password@mail.example.com:587",
    read: (value) => (value === captureUrl ? value : url("smtp:", "smtps:")(value)),
  }),
  dkim_domain: optional({
    env: "SERVICE_DKIM_DOMAIN",
    describes: "your domain: mail from it and what is beneath it is signed",
    example: "example.com",
    read: text,
  }),
  dkim_keys: optional({
    env: "SERVICE_DKIM_KEYS",
    describes:
      "what signs it: selectors and files of private keys (RSA or Ed25519), with commas between them",
    example: "ph1=/etc/posthorn/dkim.pem",
    read: keyFiles,
  }),
  spf_include: optional({
    env: "SERVICE_SPF_INCLUDE",
    describes:
      "what senders' SPF records should include: the domain that lists where this service's mail comes from",
    example: "spf.mail.example.com",
    read: text,
  }),
  return_path_domain: optional({
    env: "SERVICE_RETURN_PATH_DOMAIN",
    describes:
      "the domain of return paths that name the e-mail; its MX leads to the port for what comes back",
    example: "bounces.example.com",
    read: text,
  }),
  inbound_host: optional({
    env: "SERVICE_INBOUND_HOST",
    value: "name",
    describes:
      "the host name at which that port is reached: where the MX of sending domains' return paths leads",
    example: "mail.example.com",
    read: text,
  }),
  inbound_port: optional({
    env: "SERVICE_INBOUND_PORT",
    value: "number",
    describes: "the port that takes in bounces and complaints by mail",
    example: "25",
    read: number(1, 65_535),
  }),
  bounce_rules: optional({
    env: "SERVICE_BOUNCE_RULES",
    value: "file",
    describes: "a JSON file of your own rules for what replies mean, which go before the service's",
    example: "/etc/posthorn/bounce-rules.json",
    read: text,
  }),
  default_sender: optional({
    env: "SERVICE_DEFAULT_SENDER",
    flag: "default-sender",
    value: "mailbox",
    describes: "the sender where a workspace has none, and of the service's own mails",
    example: "Example <no-reply@example.com>",
    read: text,
  }),
  webhook_max_retries: setting({
    env: "SERVICE_WEBHOOK_MAX_RETRIES",
    describes: "retries of a webhook delivery, for new workspaces",
    example: "3",
    read: number(0, 10),
    fallback: 3,
  }),
  webhook_timeout_secs: setting({
    env: "SERVICE_WEBHOOK_TIMEOUT_SECS",
    describes: "seconds for a whole webhook attempt",
    example: "10",
    read: number(0.1, 120, false),
    fallback: 10,
  }),
  webhook_allow_private: setting({
    env: "SERVICE_WEBHOOK_ALLOW_PRIVATE",
    describes: "whether webhooks may use plain HTTP and private addresses; for development",
    example: "false",
    read: flag,
    fallback: false,
  }),
  webhook_retry_base_secs: setting({
    env: "SERVICE_WEBHOOK_RETRY_BASE_SECS",
    describes: "seconds before the first retry of a webhook",
    example: "5",
    read: number(0.01, 3600, false),
    fallback: 5,
  }),
  worker_concurrency: optional({
    env: "SERVICE_WORKER_CONCURRENCY",
    flag: "worker-concurrency",
    value: "number",
    describes: "e-mails under way at once (default: ten times the mailer's connections)",
    example: "20",
    read: number(1, 1000),
  }),
  worker_thread: optional({
    env: "SERVICE_WORKER_THREAD",
    describes:
      "whether serve delivers in a thread of its own (default: where there is a second core, and mail is sent)",
    example: "false",
    read: flag,
  }),
  worker_lease_secs: setting({
    env: "SERVICE_WORKER_LEASE_SECS",
    describes: "seconds after which a dead worker's mail moves again; for tests",
    example: "30",
    read: number(1, 600, false),
    fallback: 30,
  }),
  event_retention_days: setting({
    env: "SERVICE_EVENT_RETENTION_DAYS",
    describes: "days that events, the audit log included, are kept; 0 for ever",
    example: "400",
    read: number(0, 36_500),
    fallback: 400,
  }),
  trust_proxy: setting({
    env: "SERVICE_TRUST_PROXY",
    describes:
      "whose X-Forwarded-For names the client: true for the one proxy in front, or addresses and ranges",
    example: "10.0.0.0/8,192.0.2.1",
    read: proxies,
    fallback: false as boolean | readonly string[],
  }),
  cors_origins: setting({
    env: "SERVICE_CORS_ORIGINS",
    describes: "origins whose pages may call the API from a browser, by tokens (default: none)",
    example: "https://app.shop.example",
    read: webOrigins,
    fallback: [] as readonly string[],
  }),
  metrics_token: optional({
    env: "SERVICE_METRICS_TOKEN",
    describes: "the bearer token that /metrics is answered to (default: nobody)",
    secret: true,
    example: "the output of: openssl rand -base64 24",
    read: bearerToken,
  }),
  metrics_port: optional({
    env: "SERVICE_METRICS_PORT",
    flag: "metrics-port",
    value: "number",
    describes: "a port of its own that shows /metrics without a token",
    example: "9464",
    read: number(1, 65_535),
  }),
  log_level: setting({
    env: "SERVICE_LOG_LEVEL",
    flag: "log-level",
    value: "level",
    describes: `how much is logged: ${levels.join(", ")}`,
    example: "info",
    read: level,
    fallback: "info" as (typeof levels)[number],
  }),
  max_message_mb: setting({
    env: "SERVICE_MAX_MESSAGE_MB",
    describes: "MB that the files of one e-mail may have together",
    example: "25",
    read: number(1, 100),
    fallback: 25,
  }),
  registration: setting({
    env: "SERVICE_REGISTRATION",
    describes: `who may open an account: ${registrations.join(", ")}`,
    example: "invited",
    read: registration,
    fallback: "invited" as Registration,
  }),
  password_min_length: setting({
    env: "SERVICE_PASSWORD_MIN_LENGTH",
    describes: "the least length of a password",
    example: "12",
    read: number(8, 256),
    fallback: 12,
  }),
} as const;

export type SettingName = keyof typeof settings;
export type SettingValues = { [N in SettingName]: (typeof settings)[N] extends Setting<infer T> ? T : never };
