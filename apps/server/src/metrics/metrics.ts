/** Registers the metrics and serves them at `/metrics` in the text format of Prometheus, to clients with METRICS_TOKEN. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '@lanternrock/postgres';
import { noBackupMetrics, type BackupMetrics } from '../backup/last-backup.ts';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { hasOperatorToken } from '../http/operator-token.ts';
import { deliveryOutcomes, type DeliveryOutcome } from '../mail/email-job.ts';
import { version } from '../version.ts';
import { createHttpMetrics, type InstrumentServer } from './http-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly instrument: InstrumentServer;
  /** @param seconds duration of one password hash, including queue time */
  recordHash(seconds: number): void;
  recordDeliveryAttempt(outcome: DeliveryOutcome): void;
}

type DatabaseSizes = ReturnType<NonNullable<Database['sizes']>>;

/** Values that are read when the metrics are requested. */
interface MetricSources {
  readonly database: Pick<Database, 'connections' | 'sizes'>;
  readonly queuedHashes: () => number;
  /** Number of queued emails and delay of the oldest one in seconds; rejects if the database is unavailable. */
  readonly queuedEmails: () => Promise<{ count: number; overdueSeconds: number }>;
  /** Values of the last scheduled backup; rejects if the database is unavailable. */
  readonly lastBackup: () => Promise<BackupMetrics>;
  /** Number of audit log entries without a seal; rejects if the database is unavailable. */
  readonly unsealedEntries: () => Promise<number>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const build = new Gauge({
    name: 'lanternrock_build_info',
    help: 'Always 1; the label is the version of the service.',
    labelNames: ['version'],
    registers,
  });
  build.set({ version }, 1);
  const hashing = new Histogram({
    name: 'lanternrock_password_hash_seconds',
    help: 'Password hash duration in seconds, including queue time.',
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const attempts = new Counter({
    name: 'lanternrock_mail_tries_total',
    help: 'Email delivery attempts by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of deliveryOutcomes) attempts.inc({ outcome }, 0);
  return {
    registry,
    instrument: createHttpMetrics(registry),
    recordHash: (seconds) => hashing.observe(seconds),
    recordDeliveryAttempt: (outcome) => attempts.inc({ outcome }),
  };
}

/** Registers gauges that are read from their sources on each request. */
export function registerGauges({ registry }: Metrics, sources: MetricSources): void {
  const { database, queuedHashes, queuedEmails, unsealedEntries, lastBackup } = sources;
  const gauge: RegisterGauge = (name, help, read) => {
    // Registered by a call, because a constructor must not be called for its side effect alone.
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read());
        },
      }),
    );
  };
  gauge('lanternrock_database_connections', 'Open connections.', () => database.connections().open);
  gauge('lanternrock_database_connections_idle', 'Idle connections.', () => database.connections().idle);
  gauge(
    'lanternrock_database_waiting',
    'Requests waiting for a connection.',
    () => database.connections().waiting,
  );
  gauge(
    'lanternrock_database_restarts',
    'Restarts of the embedded engine since the start of the service.',
    () => database.connections().restarts,
  );
  registerSizes(registry, database);
  gauge('lanternrock_password_hashes_waiting', 'Queued password hashes.', queuedHashes);
  const emails = shareQuery(queuedEmails, { count: Number.NaN, overdueSeconds: Number.NaN });
  gauge(
    'lanternrock_mails_waiting',
    'Queued emails. NaN while the database is unavailable.',
    async () => (await emails()).count,
  );
  gauge(
    'lanternrock_mail_overdue_seconds',
    'Delay of the oldest queued email in seconds. NaN while the database is unavailable.',
    async () => (await emails()).overdueSeconds,
  );
  gauge(
    'lanternrock_audit_unsealed',
    'Audit log entries without a seal. NaN while the database is unavailable.',
    shareQuery(unsealedEntries, Number.NaN),
  );
  registerBackups(gauge, shareQuery(lastBackup, noBackupMetrics));
}

type RegisterGauge = (name: string, help: string, read: () => number | Promise<number>) => void;

/** Registers the values of the last scheduled backup, which are read together. */
function registerBackups(gauge: RegisterGauge, lastBackup: MetricSources['lastBackup']): void {
  const missing = 'NaN without one, without BACKUP_SCHEDULE and while the database is unavailable.';
  gauge(
    'lanternrock_backup_age_seconds',
    `Age of the data of the last complete scheduled backup in seconds. ${missing}`,
    async () => (await lastBackup()).ageSeconds,
  );
  gauge(
    'lanternrock_backup_bytes',
    `Size of the last complete scheduled backup. ${missing}`,
    async () => (await lastBackup()).bytes,
  );
  gauge(
    'lanternrock_backup_failed',
    'Whether the last scheduled backup failed or is overdue: 1 or 0. NaN without BACKUP_SCHEDULE and while the database is unavailable.',
    async () => (await lastBackup()).failed,
  );
}

/** Registers both sizes, which are read together. */
function registerSizes(registry: Registry, database: MetricSources['database']): void {
  const wal = new Gauge({
    name: 'lanternrock_database_wal_bytes',
    help: 'Size of the write-ahead log of the embedded database. NaN with an external database, and while the directory cannot be read.',
    registers: [],
  });
  // Registered first: the registry reads the metrics in this order, and this one sets both.
  registry.registerMetric(
    new Gauge({
      name: 'lanternrock_database_bytes',
      help: 'Size of the embedded database without its write-ahead log. NaN with an external database, and while the directory cannot be read.',
      registers: [],
      collect() {
        const sizes = readSizes(database);
        this.set(sizes?.database ?? Number.NaN);
        wal.set(sizes?.wal ?? Number.NaN);
      },
    }),
  );
  registry.registerMetric(wal);
}

/**
 * Returns undefined with an external database, and while the directory cannot be read, for example because its volume is
 * missing.
 */
function readSizes({ sizes }: MetricSources['database']): DatabaseSizes | undefined {
  try {
    return sizes?.();
  } catch {
    return undefined;
  }
}

/** Maximum wait for the result of a query, in milliseconds. */
const queryTimeoutMs = 1000;

/**
 * Shares a running query between concurrent reads. Returns the fallback if it fails or takes longer than a second, because
 * metrics are also served while the database is unavailable.
 */
function shareQuery<Value>(query: () => Promise<Value>, fallback: Value): () => Promise<Value> {
  let running: Promise<Value> | null = null;
  return () => {
    running ??= query()
      .catch(() => fallback)
      .finally(() => {
        running = null;
      });
    return Promise.race([running, sleep(queryTimeoutMs, fallback, { ref: false })]);
  };
}

export function metricsRoutes(config: Config, { registry }: Metrics): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/metrics', async (c) => {
    if (!hasOperatorToken(config, c)) return c.json({ code: 'not_found', message: 'Not found' }, 404);
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
  });
}
