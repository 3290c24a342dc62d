/** Creates screens that load their code on demand. */
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { ApiError } from '../api/errors.ts';

/**
 * Creates a lazy route component that fails with a `ApiError`.
 *
 * TanStack Router reloads the page on a failed import, also while offline. With this error only
 * `stale-build.ts` reloads, and the error screen shows a readable message.
 */
export const lazyScreen = (load: () => Promise<ComponentType>): AsyncRouteComponent<object> =>
  lazyRouteComponent(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new ApiError({
        kind: 'network',
        message: 'The code for this screen could not be loaded. Check your connection and try again.',
        cause,
      });
    }
  });
