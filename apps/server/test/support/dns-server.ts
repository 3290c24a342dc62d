/** A DNS server on loopback with the TXT records that a test sets. */
import dns2 from 'dns2';

/** `refused`: the server does not respond for this name. */
export type Zone = Record<string, readonly string[] | 'refused'>;

export interface DnsServer {
  /** Value for DNS_SERVERS. */
  readonly address: string;
  zone: Zone;
  /** Queried names. */
  readonly queries: string[];
  close(): Promise<void>;
}

const nameError = 3;
const rejected = 5;

export async function startDnsServer(): Promise<DnsServer> {
  const { Packet } = dns2;
  const state = { zone: {} as Zone, queries: [] as string[] };
  const server = dns2.createServer({
    udp: true,
    handle: (request, send) => {
      const response = Packet.createResponseFromRequest(request);
      const name = request.questions[0]?.name.toLowerCase() ?? '';
      state.queries.push(name);
      const known = state.zone[name];
      if (known === 'refused') response.header.rcode = rejected;
      else if (known === undefined) response.header.rcode = nameError;
      else {
        for (const text of known) {
          // A string contains at most 255 bytes, so long records are split.
          const data = text.match(/.{1,200}/gs) ?? [''];
          response.answers.push({ name, type: Packet.TYPE.TXT, class: Packet.CLASS.IN, ttl: 1, data });
        }
      }
      send(response);
    },
  });
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  return Object.assign(state, { address: `127.0.0.1:${udp.port}`, close: async () => server.close() });
}
