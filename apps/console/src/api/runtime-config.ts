/**
 * Reads the configuration that the service writes into the document, so that one build serves every instance.
 */
import { removeTrailingSlashes } from '@lanternrock/contract/trailing-slashes';
import {
  type Feature,
  features,
  type RuntimeConfig,
  runtimeConfigElementId,
} from '@lanternrock/contract/runtime';
import { tryParseJson } from './json.ts';

const valueAt = (parsed: unknown, name: keyof RuntimeConfig): unknown =>
  typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;

const textAt = (parsed: unknown, name: keyof RuntimeConfig): string => {
  const value = valueAt(parsed, name);
  return typeof value === 'string' ? value : '';
};

const isFeature = (name: unknown): name is Feature => features.some((feature) => feature === name);

/** Parses the configuration. Missing and invalid values become '', 0 and []. */
export const parseRuntimeConfig = (text: string): RuntimeConfig => {
  // Without a configuration, the screens still render, and the first request reports the error.
  const parsed = tryParseJson(text);
  const listed = valueAt(parsed, 'features');
  const seconds = valueAt(parsed, 'invitationSeconds');
  return {
    productName: textAt(parsed, 'productName'),
    backendUrl: removeTrailingSlashes(textAt(parsed, 'backendUrl')),
    anonKey: textAt(parsed, 'anonKey'),
    siteUrl: textAt(parsed, 'siteUrl'),
    invitationSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : 0,
    build: textAt(parsed, 'build'),
    features: Array.isArray(listed) ? listed.filter(isFeature) : [],
  };
};

const readText = (): string => document.getElementById(runtimeConfigElementId)?.textContent ?? '';

/** Returns the configuration of the current document. */
export const readRuntimeConfig = (): RuntimeConfig => parseRuntimeConfig(readText());

/** Reports listed features that this build does not know, for example in a file that was written for another version. */
export const reportUnknownFeatures = (): void => {
  const listed = valueAt(tryParseJson(readText()), 'features');
  const unknown = Array.isArray(listed) ? listed.filter((name) => !isFeature(name)) : [];
  if (unknown.length > 0)
    console.error(
      `runtime-config lists unknown features: ${unknown.join(', ')}. Known: ${features.join(', ')}.`,
    );
};

/** Returns true if the backend supports an optional feature. */
export const hasFeature = (feature: Feature): boolean => readRuntimeConfig().features.includes(feature);

/**
 * Disables a query unless the condition is true. Then the default of the query client applies, which waits for
 * the session; `enabled: true` would override it.
 */
export const enabledIf = (condition: boolean): { enabled?: false } => (condition ? {} : { enabled: false });

/**
 * Returns the base URL of the backend without a trailing slash. An empty setting means the origin of the
 * console.
 */
export const backendAddress = (config: RuntimeConfig, origin: string): string =>
  config.backendUrl === '' ? origin : config.backendUrl;
