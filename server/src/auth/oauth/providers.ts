/** Providers of OAUTH_PROVIDERS_FILE. */
export interface OAuthProvider {
  readonly name: string;
}

export interface OAuthProviders {
  readonly enabled: readonly string[];
}

export const noProviders: OAuthProviders = { enabled: [] };
