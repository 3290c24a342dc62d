/** A certificate that names a revocation list (CRL) on a test server, which counts the requests for it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Returns the DER of a self-signed certificate (P-256) whose CRL distribution point is `crlUrl`. The
 * signature is invalid.
 */
const template = Buffer.from(
  'MIIBnTCCAUOgAwIBAgIUKWkmzGkJuWZDF8lkey+qXJcb3+0wCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBeDAgFw0yNjExMjIy' +
    'MjM5MDVaGA8yMTI2MTAyOTIyMzkwNVowDDEKMAgGA1UEAwwBeDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKEgLj72WBVX' +
    'GPQruJcHBhYPq1aSX6fEYhHrle4VLNL14Mkz2fCSpU5g8Zs6zY2EaL8dJeZLA0+Msws41/2zCN6jgYAwfjAdBgNVHQ4EFgQU' +
    'eWf164m0PhsNZtcn/ZqwqSLUMXswHwYDVR0jBBgwFoAUeWf164m0PhsNZtcn/ZqwqSLUMXswDwYDVR0TAQH/BAUwAwEB/zAr' +
    'BgNVHR8EJDAiMCCgHqAchhpodHRwOi8vMTI3LjAuMC4xOjAwMDAwL2NybDAKBggqhkjOPQQDAgNIADBFAiEAyqTThMXljGaD' +
    'aKxfZ525McjiScnombYeCh5MONp8XtYCIFSKduZrkpK+k31E+003eTSoFiQZuhicqkJkJIZg9AMO',
  'base64',
).toString('latin1');
const crlUrl = 'http://127.0.0.1:00000/crl';

export interface CrlServer {
  /** DER encoding, with an invalid signature. */
  readonly certificate: Uint8Array;
  /** Number of received requests. */
  requests(): number;
  close(): void;
}

export async function startCrlServer(): Promise<CrlServer> {
  let requests = 0;
  const server = http.createServer((_request, response) => {
    requests += 1;
    response.end('no list');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = String((server.address() as AddressInfo).port).padStart(5, '0');
  return {
    certificate: Buffer.from(template.replace(crlUrl, crlUrl.replace('00000', port)), 'latin1'),
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
