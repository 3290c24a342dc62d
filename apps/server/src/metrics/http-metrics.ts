/**
 * Counts and times requests where they arrive, so that also those are seen which end before the
 * interfaces: refused ones, and ones whose client hung up.
 */
import type http from 'node:http';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** Closed lists: a label must not grow with what strangers send. */
const interfaces = ['rest', 'auth', 'functions'] as const;
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

function interfaceOf(url: string): string {
  // Waiting is not working: it would hide how long the others take.
  if (url === '/functions/v1/session-watch') return 'wait';
  for (const name of interfaces) if (url.startsWith(`/${name}/v1`)) return name;
  if (url === '/metrics' || url === '/health' || url === '/ready') return 'health';
  return 'console';
}

/** Begins to measure a server's requests; `only` names the interface of a server that has one. */
export type InstrumentServer = (server: http.Server, only?: (typeof interfaces)[number]) => void;

export function createHttpMetrics(registry: Registry): InstrumentServer {
  const duration = new Histogram({
    name: 'lanternrock_http_request_duration_seconds',
    help: 'From the first line of a request to the end of its answer.',
    labelNames: ['interface', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const running = new Gauge({
    name: 'lanternrock_http_requests_running',
    help: 'Requests that are being answered.',
    registers: [registry],
  });
  // Finding a label set by its names costs more than counting; there are few, so each is found once.
  const series = new Map<string, Histogram.Internal<'interface' | 'method' | 'status'>>();
  let open = 0;
  return (server, only) => {
    server.prependListener('request', (request, response) => {
      const started = performance.now();
      open += 1;
      running.set(open);
      response.once('close', () => {
        open -= 1;
        running.set(open);
        const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'cut';
        const method = methods.has(request.method ?? '') ? (request.method ?? '') : 'other';
        const name = only ?? interfaceOf(request.url ?? '');
        const key = `${name} ${method} ${status}`;
        let one = series.get(key);
        if (!one) {
          one = duration.labels({ interface: name, method, status });
          series.set(key, one);
        }
        one.observe((performance.now() - started) / 1000);
      });
    });
  };
}
