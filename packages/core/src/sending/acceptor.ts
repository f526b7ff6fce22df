export interface Acceptor {
  close(): Promise<void>;
}
