/** Checks that keys exist, can be decrypted with SECRETS_KEY, and are not too old. Creates none. */
import type { Database } from '@lanternrock/postgres';
import { countAuthenticatorApps, findSigningKeysChange } from '@lanternrock/auth/inspect-keys';
import type { Config } from '../config/settings.ts';
import { toErrorMessage } from '../errors.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';

const maxSigningKeyAgeDays = 365;

export async function checkKeys(config: Config, database: Database, now: Date): Promise<CheckResult> {
  if (config.SIGNING_KEYS) return ok('keys', 'the signing keys come from the settings');
  try {
    const changedAt = await findSigningKeysChange(config, database);
    if (!changedAt) return warning('keys', 'no keys yet', 'Start the service to create them.');
    const days = Math.floor((now.getTime() - changedAt.getTime()) / 86_400_000);
    const message = `the signing key is ${days} days old`;
    return days > maxSigningKeyAgeDays
      ? warning('keys', message, 'Run "lanternrock keys rotate".')
      : ok('keys', message);
  } catch (error) {
    return failed('keys', toErrorMessage(error), 'Set SECRETS_KEY to the key of this instance.');
  }
}

/**
 * Checks that second factors can be decrypted. They are encrypted with SECRETS_KEY, which a backup does not contain.
 */
export async function checkFactors(config: Config, database: Database): Promise<CheckResult> {
  const { total, undecryptable } = await countAuthenticatorApps(config, database);
  if (total === 0) return ok('second factors', 'no authenticator apps in use');
  const apps = `${total} authenticator ${total === 1 ? 'app' : 'apps'}`;
  if (undecryptable === 0) return ok('second factors', `${apps} can be decrypted`);
  const fix =
    'Restore keys/secrets.key (or SECRETS_KEY) of the instance that wrote the backup and start the service again.';
  return failed('second factors', `${undecryptable} of ${apps} cannot be decrypted with this key`, fix);
}
