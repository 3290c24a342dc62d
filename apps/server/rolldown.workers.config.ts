import { bundle } from './rolldown.config.ts';

/** Only what runs in threads and processes of its own: all that tests need besides the sources. */
export default bundle({
  'database-worker': '../../packages/postgres/src/embedded/worker-thread.ts',
  'hash-worker': '../../packages/auth/src/passwords/hash-worker.ts',
});
