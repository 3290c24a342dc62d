/** Warns of settings that work but are a risk, and of settings that differ from those of the service. */
import type { Database } from '@lanternrock/postgres';
import { describeDifferentSettings } from '../database/service-settings.ts';
import type { Config } from '../config/settings.ts';
import { ok, warning, type CheckResult } from './check-result.ts';

/** Compares the settings with those of the service: the other checks judge the settings of this process. */
export async function checkServiceSettings(config: Config, database: Database): Promise<CheckResult> {
  const different = await describeDifferentSettings({ config, database });
  return different === null
    ? ok('service', 'the settings for links, emails and keys do not differ from the last start')
    : warning(
        'service',
        `the service runs with other values of ${different}; this list checks the settings of this command`,
        'Run the command with the settings of the service, see "Settings of a command" in docs/operations.md.',
      );
}

/** @param unknown sentences about environment variables that are probably misspelled settings */
export function checkRiskySettings(config: Config, unknown: readonly string[]): CheckResult[] {
  const results = unknown.map((sentence) => warning('settings', sentence, 'Correct or remove the variable.'));
  if (config.PROFILE === 'compat')
    results.push(
      warning(
        'settings',
        'PROFILE=compat has permissive defaults, such as sign-up for anyone and no rate limits',
        'Remove PROFILE.',
      ),
    );
  if (!config.RATE_LIMITS)
    results.push(
      warning(
        'settings',
        'rate limits are off, so passwords and codes can be guessed',
        config.PROFILE === 'compat' ? 'Remove PROFILE, or set RATE_LIMITS=on.' : 'Set RATE_LIMITS=on.',
      ),
    );
  if (config.TEST_OTPS.length > 0)
    results.push(
      warning(
        'settings',
        `TEST_OTPS: ${config.TEST_OTPS.length} phone ${config.TEST_OTPS.length === 1 ? 'number' : 'numbers'} can sign in with a fixed code`,
        'Remove TEST_OTPS.',
      ),
    );
  return results.length > 0 ? results : [ok('settings', 'this command has no risky or unknown settings')];
}
