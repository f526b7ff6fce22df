import { optional } from "./setting.ts";
import { files, listenAddress, number, text } from "./setting-readers.ts";

/** The settings of the inbound port. */
export const inboundSettings = {
  inbound_host: optional({
    env: "SERVICE_INBOUND_HOST",
    value: "name",
    describes: "the host name of the inbound port: the MX target of sending domains' return paths",
    example: "mail.example.com",
    read: text,
  }),
  inbound_port: optional({
    env: "SERVICE_INBOUND_PORT",
    value: "number",
    describes: "the inbound port: receives bounces and complaints by mail; 0 picks a free one",
    example: "25",
    read: number(0, 65_535),
  }),
  inbound_listen_host: optional({
    env: "SERVICE_INBOUND_LISTEN_HOST",
    value: "address",
    describes: "the address that the inbound port listens on (default: SERVICE_HOST)",
    example: "0.0.0.0",
    read: listenAddress,
  }),
  inbound_certificate: optional({
    env: "SERVICE_INBOUND_CERTIFICATE",
    describes:
      "PEM files with the inbound port's certificate and key, separated by commas: it offers STARTTLS",
    example: "/etc/posthorn/fullchain.pem,/etc/posthorn/privkey.pem",
    read: files,
  }),
} as const;
