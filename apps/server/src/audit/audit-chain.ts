/** The hash chain of the audit log, as the service uses it: seals entries, exports and cuts. */
import type { Logger } from 'pino';
import type { Database } from '@lanternrock/postgres';
import type { DatabaseClock } from '@lanternrock/postgres/clock';
import type { Config } from '../config/settings.ts';
import type { AuditKey } from './audit-key.ts';
import { cutChain } from './cut-chain.ts';
import { reportDaily, type EnqueueReport } from './daily-report.ts';
import { exportChain } from './export-chain.ts';
import { createSealer } from './seal-entries.ts';

export interface AuditChain {
  /** The public key that verifies exports. */
  readonly publicKey: string;
  /** Seals all entries of transactions that ended before the call. */
  seal(): Promise<void>;
  /** Counts the entries that are not sealed yet. */
  countUnsealed(): Promise<number>;
  /** Yields the lines of a verifiable export, each with its line break. Seals first. */
  exportLines(): AsyncGenerator<string>;
  /** Once a day: verifies the chain and sends its head to the administrators. */
  report(): Promise<void>;
  /** Deletes sealed entries that are older than AUDIT_RETENTION. */
  purge(): Promise<void>;
  /** Ends running calls of `seal` after their current batch. */
  stop(): void;
}

interface AuditChainOptions {
  readonly config: Pick<Config, 'AUDIT_MAIL' | 'AUDIT_RETENTION'>;
  readonly database: Database;
  readonly key: AuditKey;
  readonly enqueueReport: EnqueueReport;
  readonly log: Logger;
  readonly now: DatabaseClock['read'];
}

export function createAuditChain(options: AuditChainOptions): AuditChain {
  const { config, database, key, log, now } = options;
  const sealer = createSealer(database);
  return {
    publicKey: key.publicKey,
    seal: sealer.seal,
    countUnsealed: sealer.countUnsealed,
    exportLines: async function* exportLines() {
      await sealer.seal();
      yield* exportChain({ database, key, now: await now(database), countUnsealed: sealer.countUnsealed });
    },
    report: async () => {
      await sealer.seal();
      const enqueue = config.AUDIT_MAIL ? options.enqueueReport : null;
      await reportDaily({ database, now: await now(database), enqueue, log });
    },
    purge: async () => {
      const at = await now(database);
      // A restart of the embedded database can give lost identity values again.
      sealer.reset();
      await sealer.seal();
      await cutChain(database, key, {
        before: new Date(at.getTime() - config.AUDIT_RETENTION * 86_400_000),
        now: at,
      });
    },
    stop: sealer.stop,
  };
}
