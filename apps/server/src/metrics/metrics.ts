/** `/metrics` in the text format of Prometheus, for clients with METRICS_TOKEN. */
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '@lanternrock/postgres';
import type { AppEnv } from '../http/context.ts';
import type { Config } from '../config/settings.ts';
import { constantTimeEqual } from '../keys/api-keys.ts';
import type { DeliveryOutcome } from '../mail/email-job.ts';
import { createHttpMetrics, type InstrumentServer } from './http-metrics.ts';

export interface Metrics {
  readonly registry: Registry;
  readonly measure: InstrumentServer;
  /** @param seconds of one password, the wait for its turn included. */
  hashed(seconds: number): void;
  mailTried(outcome: DeliveryOutcome): void;
}

/** What is asked for when somebody reads the metrics. */
export interface MetricSources {
  readonly database: Pick<Database, 'connections' | 'sizes'>;
  /** Passwords that wait to be hashed. */
  readonly hashesWaiting: () => number;
  /** Mails that wait, and the seconds by which the longest is overdue; rejects when the database is away. */
  readonly waitingMails: () => Promise<{ waiting: number; overdue: number }>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const hashing = new Histogram({
    name: 'lanternrock_password_hash_seconds',
    help: 'Time of one password, the wait for its turn included.',
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const tries = new Counter({
    name: 'lanternrock_mail_tries_total',
    help: 'Tries to hand a mail over, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['handed_over', 'captured', 'refused', 'timed_out'] as const)
    tries.inc({ outcome }, 0);
  return {
    registry,
    measure: createHttpMetrics(registry),
    hashed: (seconds) => hashing.observe(seconds),
    mailTried: (outcome) => tries.inc({ outcome }),
  };
}

/** Adds what the parts themselves know at the moment of asking. */
export function registerGauges({ registry }: Metrics, parts: MetricSources): void {
  const { database, hashesWaiting, waitingMails } = parts;
  const gauge = (name: string, help: string, read: () => number): void => {
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(read());
        },
      }),
    );
  };
  gauge('lanternrock_database_connections', 'Open connections.', () => database.connections().open);
  gauge(
    'lanternrock_database_connections_idle',
    'Connections nobody uses.',
    () => database.connections().idle,
  );
  gauge(
    'lanternrock_database_waiting',
    'Callers that wait for a connection.',
    () => database.connections().waiting,
  );
  gauge(
    'lanternrock_database_restarts',
    'How often the embedded engine was opened again since the start.',
    () => database.connections().restarts,
  );
  measureSizes(registry, database);
  gauge('lanternrock_password_hashes_waiting', 'Passwords that wait to be hashed.', hashesWaiting);
  const mails = mailsOf(waitingMails);
  for (const [name, help, field] of [
    ['lanternrock_mails_waiting', 'Mails that wait for the worker.', 'waiting'],
    ['lanternrock_mail_overdue_seconds', 'By how long the longest waiting mail is overdue.', 'overdue'],
  ] as const) {
    registry.registerMetric(
      new Gauge({
        name,
        help: `${help} Not a number while the database is away.`,
        registers: [],
        async collect() {
          this.set((await mails())[field]);
        },
      }),
    );
  }
}

/** One walk over the directory sets both. */
function measureSizes(registry: Registry, database: MetricSources['database']): void {
  const wal = new Gauge({
    name: 'lanternrock_database_wal_bytes',
    help: 'Size of the write-ahead log of the embedded database. Not a number with Postgres.',
    registers: [],
  });
  registry.registerMetric(
    new Gauge({
      name: 'lanternrock_database_bytes',
      help: 'Size of the embedded database without its log. Not a number with Postgres.',
      registers: [],
      collect() {
        const sizes = database.sizes?.();
        this.set(sizes?.database ?? Number.NaN);
        wal.set(sizes?.wal ?? Number.NaN);
      },
    }),
  );
  registry.registerMetric(wal);
}

/** Asks once per reading, and not for long: metrics are read most when something is wrong. */
function mailsOf(ask: MetricSources['waitingMails']): MetricSources['waitingMails'] {
  const unknown = { waiting: Number.NaN, overdue: Number.NaN };
  let asked: ReturnType<typeof ask> | null = null;
  return async () => {
    asked ??= Promise.race([ask().catch(() => unknown), pause(1000, unknown, { ref: false })]).finally(() => {
      asked = null;
    });
    return asked;
  };
}

export function metricsRoutes({ METRICS_TOKEN }: Config, { registry }: Metrics): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/metrics', async (c) => {
    const given = c.req.header('Authorization') ?? '';
    const allowed = METRICS_TOKEN !== '' && constantTimeEqual(given, `Bearer ${METRICS_TOKEN}`);
    if (!allowed) return c.json({ code: 'not_found', message: 'There is nothing at this address' }, 404);
    return c.body(await registry.metrics(), 200, { 'Content-Type': registry.contentType });
  });
}
