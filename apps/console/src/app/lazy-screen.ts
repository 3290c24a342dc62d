/** A screen whose code loads when it is opened, or before. */
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { BackendError } from '../api/errors.ts';

/**
 * The router reloads the page by itself when it recognizes a failed import, also without network.
 * An error of our own keeps that to `stale-chunks.ts`, and says something to a person.
 */
export const lazyScreen = (load: () => Promise<ComponentType>): AsyncRouteComponent<object> =>
  lazyRouteComponent(async () => {
    try {
      return { default: await load() };
    } catch (cause) {
      throw new BackendError({
        kind: 'network',
        message: 'The code for this screen could not be loaded. Check your connection and try again.',
        cause,
      });
    }
  });
