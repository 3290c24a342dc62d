/** Measures requests at the HTTP server, so that rejected requests and client disconnects are included. */
import type http from 'node:http';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** Allowed label values. Client input must not create new time series. */
const apis = ['rest', 'auth', 'functions'] as const;
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

function apiLabel(url: string): string {
  // A long poll would distort the durations of the other functions.
  if (url === '/functions/v1/session-watch') return 'wait';
  for (const name of apis) if (url.startsWith(`/${name}/v1`)) return name;
  if (url === '/metrics' || url === '/health' || url === '/ready') return 'health';
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
  let inFlight = 0;
  return (server, onlyApi) => {
    server.prependListener('request', (request, response) => {
      const started = performance.now();
      inFlight += 1;
      running.set(inFlight);
      response.once('close', () => {
        inFlight -= 1;
        running.set(inFlight);
        const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'cut';
        const method = methods.has(request.method ?? '') ? (request.method ?? '') : 'other';
        const api = onlyApi ?? apiLabel(request.url ?? '');
        const key = `${api} ${method} ${status}`;
        let histogram = series.get(key);
        if (!histogram) {
          histogram = duration.labels({ interface: api, method, status });
          series.set(key, histogram);
        }
        histogram.observe((performance.now() - started) / 1000);
      });
    });
  };
}
