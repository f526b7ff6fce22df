import { type AddressInfo, createServer } from "node:net";

/** A port that nobody else gets until it is released. */
export interface HeldPort {
  port: number;
  /** Lets it go, to be listened on at once. */
  release(): Promise<void>;
}

/** Holds a free port for what must know its address long before it listens there; keeps no process alive. */
export function holdFreePort(host: string): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    const holder = createServer().unref();
    holder.once("error", reject);
    holder.listen(0, host, () => {
      const { port } = holder.address() as AddressInfo;
      resolve({ port, release: () => new Promise((released) => holder.close(() => released())) });
    });
  });
}
