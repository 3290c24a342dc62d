/**
 * OAuth providers of OAUTH_PROVIDERS_FILE: a JSON object from the provider's name to its settings. OpenID Connect
 * providers have an `issuer`, plain OAuth 2.0 providers three endpoints.
 */
import fs from 'node:fs';
import * as oidc from 'openid-client';
import * as z from 'zod/mini';
import { OperationalError } from '@lanternrock/postgres/errors';
import { isLoopbackHost } from './redirect-pattern.ts';

const isHttp = (url: string): boolean => new URL(url).protocol === 'http:';

const url = z.string().check(
  z.refine((text) => URL.canParse(text), { error: 'must be a URL', abort: true }),
  // Client secrets and access tokens are sent to these URLs.
  z.refine((text) => !isHttp(text) || isLoopbackHost(new URL(text).hostname), {
    error: 'must use https, except on this host',
  }),
);

const providerSchema = z.strictObject({
  client_id: z.string(),
  client_secret: z.optional(z.string()),
  /** Further client IDs whose ID tokens are accepted, for native apps. */
  additional_client_ids: z.optional(z.array(z.string())),
  scopes: z.optional(z.string()),
  /** `form_post` for providers that require it, as Apple does for the scopes `name` and `email`. */
  response_mode: z.optional(z.enum(['query', 'form_post'])),
  /** Set if the provider does not return the nonce in its ID tokens. */
  skip_nonce_check: z.optional(z.boolean()),
  issuer: z.optional(url),
  authorization_endpoint: z.optional(url),
  token_endpoint: z.optional(url),
  userinfo_endpoint: z.optional(url),
  /** A list of `{email, primary, verified}`, for providers whose profile omits it. */
  emails_endpoint: z.optional(url),
});

type ProviderSettings = z.output<typeof providerSchema>;

export interface OAuthProvider {
  readonly name: string;
  readonly settings: ProviderSettings;
  /** Discovers the provider on first use. After an error, the next call retries. */
  configuration(): Promise<oidc.Configuration>;
}

export interface OAuthProviders {
  readonly enabled: readonly string[];
  find(name: string): OAuthProvider | null;
}

/**
 * @param file path of the file; '' without providers
 * @throws OperationalError if the file cannot be read or is invalid
 */
export function readProviders(file: string): OAuthProviders {
  const providers = new Map<string, OAuthProvider>();
  if (file !== '') {
    for (const [name, settings] of Object.entries(readFile(file))) {
      providers.set(name, createProvider(name, settings));
    }
  }
  return { enabled: [...providers.keys()], find: (name) => providers.get(name) ?? null };
}

function readFile(file: string): Record<string, ProviderSettings> {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new OperationalError(`Cannot read OAUTH_PROVIDERS_FILE ${file} as JSON.`, { cause: error });
  }
  const parsed = z.safeParse(
    z.record(z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,49}$/)), providerSchema),
    value,
  );
  if (!parsed.success) throw new OperationalError(`OAUTH_PROVIDERS_FILE: ${z.prettifyError(parsed.error)}`);
  for (const [name, { issuer, authorization_endpoint, token_endpoint, userinfo_endpoint }] of Object.entries(
    parsed.data,
  )) {
    if (issuer === undefined && !(authorization_endpoint && token_endpoint && userinfo_endpoint)) {
      throw new OperationalError(
        `OAUTH_PROVIDERS_FILE: ${name} must have an issuer, or authorization_endpoint, token_endpoint and userinfo_endpoint.`,
      );
    }
  }
  return parsed.data;
}

function createProvider(name: string, settings: ProviderSettings): OAuthProvider {
  let discovered: Promise<oidc.Configuration> | null = null;
  return {
    name,
    settings,
    configuration() {
      discovered ??= configure(settings).catch((error: unknown) => {
        discovered = null;
        throw error;
      });
      return discovered;
    },
  };
}

/** Allows HTTP for loopback providers. The library compares the function by identity, so it must not be wrapped. */
const withoutTls: (configuration: oidc.Configuration) => void =
  // oxlint-disable-next-line typescript/no-deprecated -- deprecated only as a warning; loopback has no TLS
  oidc.allowInsecureRequests;

/** Maximum duration of a request to a provider. */
const timeoutSeconds = 5;

async function configure(settings: ProviderSettings): Promise<oidc.Configuration> {
  const { issuer, client_id, client_secret, authorization_endpoint = '', token_endpoint = '' } = settings;
  const { userinfo_endpoint, emails_endpoint } = settings;
  const urls = [issuer, authorization_endpoint, token_endpoint, userinfo_endpoint, emails_endpoint];
  // The settings accept HTTP for loopback URLs only.
  const insecure = urls.some((each) => each !== undefined && each !== '' && isHttp(each));
  if (issuer !== undefined) {
    return oidc.discovery(new URL(issuer), client_id, client_secret, undefined, {
      timeout: timeoutSeconds,
      ...(insecure ? { execute: [withoutTls] } : {}),
    });
  }
  const server = { issuer: new URL(authorization_endpoint).origin, authorization_endpoint, token_endpoint };
  const configuration = new oidc.Configuration(server, client_id, client_secret);
  configuration.timeout = timeoutSeconds;
  if (insecure) withoutTls(configuration);
  return configuration;
}
