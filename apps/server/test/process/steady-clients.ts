/** Clients that continue while the service restarts, and count what they lose. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { accountRow, type ApiClient } from './api-client.ts';

export interface SteadyClients {
  /** IDs of rows whose creation returned 201. */
  readonly acknowledged: readonly string[];
  /** Requests that got no response, and responses with an unexpected status. */
  readonly failures: readonly string[];
  /** Responses to reads. */
  reads(): number;
  /** Requests on a connection that had been used before, and was closed without a response. */
  closed(): number;
  stop(): Promise<void>;
}

interface Target {
  readonly url: string;
  readonly client: ApiClient;
}

interface Options extends Target {
  /** A client that is refused sends its request again: it has no proxy in front of the service. */
  readonly isRefusalExpected: boolean;
  /** A client whose used connection is closed without a response sends its request again, as browsers do. */
  readonly isCloseExpected?: boolean;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Resolves with the whole response; rejects if there is none. */
function send(
  { url, client }: Target,
  agent: http.Agent | undefined,
  method: string,
  path: string,
  body?: string,
): Promise<Answer> {
  const { request } = url.startsWith('https:') ? https : http;
  const headers = {
    Authorization: `Bearer ${client.token}`,
    'Content-Type': 'application/json',
    Prefer: 'return=representation',
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { method, agent, headers, rejectUnauthorized: false });
    sent
      .on('error', (error) => reject(Object.assign(error, { isReused: sent.reusedSocket })))
      .on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      })
      .end(body);
  });
}

/** Returns true if the service responds at this URL. */
export const isReady = async (target: Target): Promise<boolean> =>
  send(target, undefined, 'GET', '/ready').then(
    ({ status }) => status === 200,
    () => false,
  );

/** Kinds of clients: new connection for each request, persistent connection, persistent connection with pauses. */
const kinds = [
  { keepAlive: false, maxPauseMs: 0 },
  { keepAlive: true, maxPauseMs: 0 },
  { keepAlive: true, maxPauseMs: 800 },
] as const;

const clientsOfEachKind = 10;

export function startSteadyClients({
  isRefusalExpected,
  isCloseExpected = false,
  ...target
}: Options): SteadyClients {
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let reads = 0;
  let closed = 0;
  const state = { isStopped: false };
  /** Clients alternate between a write and a read. */
  const next = async (agent: http.Agent, isWrite: boolean): Promise<void> => {
    if (isWrite) {
      const row = JSON.stringify(accountRow(target.client, `Account ${acknowledged.length}`));
      const { status, body } = await send(target, agent, 'POST', '/rest/v1/accounts?select=id', row);
      if (status === 201) acknowledged.push((JSON.parse(body) as { id: string }[])[0]?.id ?? '');
      else failures.push(`POST ${status} ${body}`);
      return;
    }
    const { status, body } = await send(target, agent, 'GET', '/rest/v1/accounts?select=id&limit=5');
    if (status === 200) reads += 1;
    else failures.push(`GET ${status} ${body}`);
  };
  const { Agent } = target.url.startsWith('https:') ? https : http;
  const run = async ({ keepAlive, maxPauseMs }: (typeof kinds)[number]): Promise<void> => {
    const agent = new Agent({ keepAlive, maxSockets: 1, rejectUnauthorized: false });
    for (let turn = 0; !state.isStopped; turn += 1) {
      try {
        await next(agent, turn % 2 === 0);
      } catch (error) {
        const { code, message, isReused } = error as NodeJS.ErrnoException & { isReused?: boolean };
        if (isCloseExpected && code === 'ECONNRESET' && isReused === true) closed += 1;
        else if (!isRefusalExpected || code !== 'ECONNREFUSED') failures.push(message);
        await pause(20);
      }
      if (maxPauseMs > 0) await pause(Math.random() * maxPauseMs);
    }
    agent.destroy();
  };
  const running = kinds.flatMap((kind) => Array.from({ length: clientsOfEachKind }, () => run(kind)));
  return {
    acknowledged,
    failures,
    reads: () => reads,
    closed: () => closed,
    stop: async () => {
      state.isStopped = true;
      await Promise.all(running);
    },
  };
}
