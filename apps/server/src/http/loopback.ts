/** Loopback host names and IP addresses. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** @param host a host name or IP address without a port, as in `URL.hostname` or as the address of a socket */
export const isLoopback = (host: string): boolean => loopback.test(host);
