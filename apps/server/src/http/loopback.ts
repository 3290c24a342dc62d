/** Which hosts lead to this very machine and nowhere else. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** @param host a name or an address, as `URL.hostname` spells it or as a socket is bound to it; without a port */
export const isLoopback = (host: string): boolean => loopback.test(host);
