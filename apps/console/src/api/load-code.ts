/** Loads code on demand, with a timeout. */
import { withTimeout } from './deadline.ts';
import { ApiError } from './errors.ts';

/** The import has a timeout because a connection can accept the request and never send a response. */
export const codeTimeoutMs = 20_000;

export const codeMessage = 'This part of the page could not be loaded. Check your connection and try again.';

const codeError = (cause?: unknown): ApiError =>
  new ApiError({ kind: 'network', message: codeMessage, cause });

/**
 * Loads code with a timeout. A module that arrives after the timeout is cached, so a retry returns it.
 *
 * @param load calls `import`
 * @throws ApiError if the code cannot be loaded, or not in time
 */
export const loadCode = async <Code>(load: () => Promise<Code>): Promise<Code> => {
  try {
    return await withTimeout(load(), codeTimeoutMs, codeError);
  } catch (error) {
    throw error instanceof ApiError ? error : codeError(error);
  }
};
