/** Connection URIs with several hosts (PostgreSQL manual, "Specifying Multiple Hosts"), which the driver cannot read. */
import { OperationalError } from './errors.ts';

/** Scheme with user and password, hosts with ports, and the rest. */
const authority = /^([^:/?]+:\/\/(?:[^/?]*@)?)([^@/?]*)(.*)$/s;

/**
 * Returns one URI for each host between `//` and the next `/`, in order: `postgres://ann@a:5432,b/x` names two.
 *
 * @param uri with any number of hosts, also none
 */
export function splitHosts(uri: string): readonly [string, ...string[]] {
  const [, user = '', hosts = '', rest = ''] = authority.exec(uri) ?? [];
  const [first, ...others] = hosts.split(',').map((host) => `${user}${host}${rest}`);
  return others.length === 0 || first === undefined ? [uri] : [first, ...others];
}

/**
 * Returns the parameters of each host of the parameter `host`, in order. One port is that of all hosts.
 *
 * @param parameters of the URI
 * @throws OperationalError if a host or port is empty, or their numbers differ
 */
function splitHostParameters(parameters: URLSearchParams): readonly URLSearchParams[] {
  const hosts = (parameters.get('host') ?? '').split(',');
  const ports = (parameters.get('port') ?? '').split(',');
  if (hosts.length === 1) return [parameters];
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new OperationalError(
      `DATABASE_URL names ${hosts.length} hosts and ${ports.length} ports. Name one port for each host, or one for all.`,
    );
  if (hosts.includes('') || (parameters.has('port') && ports.includes('')))
    throw new OperationalError('DATABASE_URL: a host or port of the parameters host and port is empty.');
  return hosts.map((host, index) => {
    const own = new URLSearchParams(parameters);
    own.set('host', host);
    if (parameters.has('port')) own.set('port', ports[index] ?? ports[0] ?? '');
    return own;
  });
}

export interface Servers {
  /** Connection URIs with one host each, in order. */
  readonly urls: readonly string[];
  /** True if all of them are Unix sockets, which have no TLS. */
  readonly areSockets: boolean;
}

/**
 * Returns the servers of a URI.
 *
 * @param base the URI without parameters
 * @param parameters those of the driver
 * @throws OperationalError if the hosts contradict each other
 */
export function listServers(base: string, parameters: URLSearchParams): Servers {
  const bases = splitHosts(base);
  if (bases.length > 1 && parameters.has('host'))
    throw new OperationalError(
      'DATABASE_URL names hosts twice: before the name of the database and in the parameter host.',
    );
  const servers = bases.flatMap((server) =>
    splitHostParameters(parameters).map((own) => ({
      url: own.size === 0 ? server : `${server}?${own.toString()}`,
      isSocket: own.get('host')?.startsWith('/') ?? /@%2f/i.test(server),
    })),
  );
  const sockets = servers.filter(({ isSocket }) => isSocket).length;
  if (sockets !== 0 && sockets !== servers.length)
    throw new OperationalError(
      'DATABASE_URL names a Unix socket and a host with TLS. Name servers of one kind.',
    );
  return { urls: servers.map(({ url }) => url), areSockets: sockets !== 0 };
}
