/** Creates screens that load their code on demand. */
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadCode } from '../api/connection.ts';

/**
 * Creates a lazy route component that fails with an `ApiError`.
 *
 * TanStack Router reloads the page on a failed import, also while offline. With this error only
 * `stale-build.ts` reloads, and the error screen shows a readable message.
 */
export const lazyScreen = (load: () => Promise<ComponentType>): AsyncRouteComponent<object> =>
  lazyRouteComponent(async () => ({ default: await loadCode(load) }));
