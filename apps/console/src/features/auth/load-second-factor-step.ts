/** Loads the second-factor step, which only users with a second factor need. */
import { loadCode } from '../../api/load-code.ts';

/** @throws ApiError if the code cannot be loaded */
export const loadSecondFactorStep = async () =>
  (await loadCode(() => import('./second-factor-step.tsx'))).SecondFactorStep;
