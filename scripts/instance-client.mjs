/** A client of a running instance, for development, benchmarks and process tests. */

/**
 * Reads the publishable key from the sign-in page.
 *
 * @throws Error without a built console
 */
async function readAnonKey(url) {
  const page = await (await fetch(`${url}/auth`)).text();
  const anonKey = /"anonKey":"([^"]+)"/.exec(page)?.[1];
  if (!anonKey) throw new Error(`The sign-in page contains no publishable key: ${page.slice(0, 200)}`);
  return anonKey;
}

/**
 * Opens a client.
 *
 * @param {string} url of the instance
 * @param {string} [key] the publishable key; without it, the key of the sign-in page
 */
export async function openClient(url, key) {
  const anonKey = key ?? (await readAnonKey(url));

  /**
   * Sends JSON and returns the JSON of the response, or null if it is empty.
   *
   * @param {string} pathname
   * @param {unknown} body
   * @param {{ method?: string, token?: string }} [options] `token` is an access token or a secret key
   * @throws Error with the response, unless its status is 2xx
   */
  const call = async (pathname, body, { method = 'POST', token = anonKey } = {}) => {
    const response = await fetch(url + pathname, {
      method,
      headers: { apikey: anonKey, Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${pathname} returned ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };

  return {
    anonKey,
    call,

    /**
     * Opens the link of the first administrator and sets the password.
     *
     * @param {string} link
     * @param {string} password
     */
    setUpAdministrator: async (link, password) => {
      const { searchParams } = new URL(link);
      const token = { type: searchParams.get('type'), token_hash: searchParams.get('token_hash') };
      const session = await call('/auth/v1/verify', token);
      await call('/auth/v1/user', { password }, { method: 'PUT', token: session.access_token });
    },

    /**
     * Returns a session.
     *
     * @param {{ email: string, password: string }} credentials
     */
    signIn: (credentials) => call('/auth/v1/token?grant_type=password', credentials),
  };
}
