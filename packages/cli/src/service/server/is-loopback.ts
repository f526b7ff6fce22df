/** Whether a host name, of a URL or to listen on, is this machine's loopback interface. */
export const isLoopback = (host: string): boolean =>
  /^(\[?::1\]?|(.+\.)?localhost|127(\.\d{1,3}){3})$/.test(host);
