/**
 * Measures requests at the HTTP server, so that requests that no route receives and client disconnects are included. Requests
 * that Node rejects before the event `request` are not.
 */
import type http from 'node:http';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** APIs by the first segment of the path. */
const apis = ['rest', 'auth', 'functions'] as const;
/** Other methods get the label `other`, so that client input creates no time series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

function toApiLabel(url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  // A long poll would distort the durations of the other functions.
  if (path === '/functions/v1/session-watch') return 'wait';
  for (const name of apis) if (path.startsWith(`/${name}/v1`)) return name;
  if (path === '/metrics' || path === '/health' || path === '/ready') return 'health';
  return 'console';
}

/** Measures the requests of a server. `onlyApi` is the API of a server that serves no other. */
export type InstrumentServer = (server: http.Server, onlyApi?: (typeof apis)[number]) => void;

export function createHttpMetrics(registry: Registry): InstrumentServer {
  const duration = new Histogram({
    name: 'lanternrock_http_request_duration_seconds',
    help: 'Request duration in seconds.',
    labelNames: ['interface', 'method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const running = new Gauge({
    name: 'lanternrock_http_requests_running',
    help: 'Requests in flight.',
    registers: [registry],
  });
  // The lookup of a label set is slower than the observation. There are few, so all are cached.
  const series = new Map<string, Histogram.Internal<'interface' | 'method' | 'status'>>();
  return (server, onlyApi) => {
    server.prependListener('request', (request, response) => {
      const startedAt = performance.now();
      running.inc();
      response.once('close', () => {
        running.dec();
        const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'cut';
        const method = methods.has(request.method ?? '') ? (request.method ?? '') : 'other';
        const api = onlyApi ?? toApiLabel(request.url ?? '');
        const key = `${api} ${method} ${status}`;
        let histogram = series.get(key);
        if (!histogram) {
          histogram = duration.labels({ interface: api, method, status });
          series.set(key, histogram);
        }
        histogram.observe((performance.now() - startedAt) / 1000);
      });
    });
  };
}
