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

const valueAt = (parsed: unknown, name: keyof RuntimeConfig): unknown =>
  typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : undefined;

const textAt = (parsed: unknown, name: keyof RuntimeConfig): string => {
  const value = valueAt(parsed, name);
  return typeof value === 'string' ? value : '';
};

/** Returns the listed features, without those that this build does not know. */
const featuresAt = (parsed: unknown): readonly Feature[] => {
  const listed = valueAt(parsed, 'features');
  return Array.isArray(listed) ? features.filter((feature) => listed.includes(feature)) : [];
};

/** Parses the configuration. Missing and invalid values become '' and []. */
export const parseRuntimeConfig = (text: string): RuntimeConfig => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // The screens still render, and the first request reports the error.
    parsed = undefined;
  }
  return {
    productName: textAt(parsed, 'productName'),
    backendUrl: removeTrailingSlashes(textAt(parsed, 'backendUrl')),
    anonKey: textAt(parsed, 'anonKey'),
    siteUrl: textAt(parsed, 'siteUrl'),
    build: textAt(parsed, 'build'),
    features: featuresAt(parsed),
  };
};

/** Returns the configuration of the current document. */
export const readRuntimeConfig = (): RuntimeConfig =>
  parseRuntimeConfig(document.getElementById(runtimeConfigElementId)?.textContent ?? '');

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
