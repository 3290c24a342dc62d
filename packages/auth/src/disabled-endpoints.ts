/** Endpoints of Supabase Auth that this service does not have, with the responses of a disabled feature. */
import { AuthError } from './auth-error.ts';
import { endpoint, type Endpoint } from './endpoint/endpoint.ts';

const disabledEndpoint = (status: 404 | 422, code: string, message: string): Endpoint =>
  endpoint({ guard: 'anyone' }, async () => {
    throw new AuthError(status, code, message);
  });

export const ssoDisabled = disabledEndpoint(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
export const web3Disabled = disabledEndpoint(422, 'web3_provider_disabled', 'Web3 provider is disabled');
export const oauthServerDisabled = disabledEndpoint(404, 'feature_disabled', 'OAuth server is disabled');
export const customProvidersDisabled = disabledEndpoint(
  404,
  'feature_disabled',
  'Custom providers are disabled',
);
export const scimDisabled = disabledEndpoint(404, 'feature_disabled', 'SCIM is disabled');
