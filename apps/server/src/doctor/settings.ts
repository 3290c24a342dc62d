/** Checks settings that work, with a risk. */
import type { Config } from '../config/settings.ts';
import { ok, warning, type CheckResult } from './check-result.ts';

/** @param unknown sentences about environment variables that are probably misspelled settings */
export function checkRiskySettings(config: Config, unknown: readonly string[]): CheckResult[] {
  const results = unknown.map((sentence) => warning('settings', sentence, 'Correct or remove the variable.'));
  if (config.PROFILE === 'compat')
    results.push(
      warning(
        'settings',
        'PROFILE=compat has permissive defaults, such as sign-up for everybody and no rate limits',
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
  return results.length > 0 ? results : [ok('settings', 'none of them is risky or unknown')];
}
