import { type AddressInfo, createServer } from "node:net";

/** A port that is reserved until it is released. */
export interface HeldPort {
  port: number;
  /** Releases the port, to be listened on at once. */
  release(): Promise<void>;
}

/**
 * Reserves a free port for a server that must know its address long before it listens; does not keep the process alive.
 */
export function holdFreePort(host: string): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    // Whoever connects meanwhile is not waited for.
    const holder = createServer((socket) => socket.destroy()).unref();
    holder.once("error", reject);
    holder.listen(0, host, () => {
      const { port } = holder.address() as AddressInfo;
      resolve({ port, release: () => new Promise((released) => holder.close(() => released())) });
    });
  });
}
