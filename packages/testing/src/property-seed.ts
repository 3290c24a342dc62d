/** Setup of every test file: all property tests use one seed, so that a failure means a change. */
import fc from 'fast-check';
import { seed } from './property-runs.ts';

fc.configureGlobal({ seed });
