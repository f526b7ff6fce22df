import type { Logger } from "@posthorn/core";

const certificateMs = 3_600_000;

/**
 * Reads a certificate with its key once an hour, as one PEM text, and passes it on, so that a renewed one is used without
 * a restart. While it can't be read, the former one stays. Returns a function that ends this.
 */
export function renewCertificate(
  read: () => string,
  use: (certificate: { cert: string; key: string }) => void,
  logger: Logger,
): () => void {
  const timer = setInterval(() => {
    try {
      const pem = read();
      use({ cert: pem, key: pem });
    } catch (error) {
      logger.warn({ err: error }, "the inbound port keeps its former certificate");
    }
  }, certificateMs).unref();
  return () => clearInterval(timer);
}
