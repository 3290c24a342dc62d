/** The backend of this document, and its runtime configuration. */
import { backendAddress, readRuntimeConfig } from './runtime-config.ts';

export const runtimeConfig = readRuntimeConfig();
export const backendUrl = backendAddress(runtimeConfig, location.origin);
