/** Loads code on demand. */
import { ApiError } from './errors.ts';
import { withTimeout } from './with-timeout.ts';

/** Milliseconds until code counts as not loaded: a line can accept the request and never answer. */
export const codeTimeoutMs = 20_000;

export const codeMessage =
  'The code for this screen could not be loaded. Check your connection and try again.';

const codeError = (cause?: unknown): ApiError =>
  new ApiError({ kind: 'network', message: codeMessage, cause });

/**
 * Loads code with a time limit. After the limit, the code is loaded on: a later call can return it.
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
