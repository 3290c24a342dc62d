/** What the server wrote into the document: one build of the console serves every instance. */
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

/** Names that this build does not know are left out. */
const featuresAt = (parsed: unknown): readonly Feature[] => {
  const named = valueAt(parsed, 'features');
  return Array.isArray(named) ? features.filter((feature) => named.includes(feature)) : [];
};

/** Returns the configuration in `text`; missing or damaged parts become '' and []. */
export const parseRuntimeConfig = (text: string): RuntimeConfig => {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // A damaged document still shows its screens; the first call then says what is wrong.
    parsed = undefined;
  }
  return {
    productName: textAt(parsed, 'productName'),
    backendUrl: textAt(parsed, 'backendUrl').replace(/\/+$/, ''),
    anonKey: textAt(parsed, 'anonKey'),
    build: textAt(parsed, 'build'),
    features: featuresAt(parsed),
  };
};

/** The configuration of the current document. */
export const readRuntimeConfig = (): RuntimeConfig =>
  parseRuntimeConfig(document.getElementById(runtimeConfigElementId)?.textContent ?? '');

/** Returns true if the backend offers this beyond the specified calls. */
export const hasFeature = (feature: Feature): boolean => readRuntimeConfig().features.includes(feature);

/** The backend's address without a slash at the end; '' in the configuration is the own origin. */
export const backendAddress = (config: RuntimeConfig, origin: string): string =>
  config.backendUrl === '' ? origin : config.backendUrl;
