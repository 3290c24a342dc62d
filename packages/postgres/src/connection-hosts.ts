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
 * @throws OperationalError if the numbers of hosts and ports differ
 */
export function splitHostParameters(
  parameters: URLSearchParams,
): readonly [URLSearchParams, ...URLSearchParams[]] {
  const hosts = (parameters.get('host') ?? '').split(',');
  const ports = (parameters.get('port') ?? '').split(',');
  if (hosts.length === 1) return [parameters];
  if (ports.length > 1 && ports.length !== hosts.length)
    throw new OperationalError(
      `DATABASE_URL names ${hosts.length} hosts and ${ports.length} ports. Name one port for each host, or one for all.`,
    );
  const [first = parameters, ...others] = hosts.map((host, index) => {
    const own = new URLSearchParams(parameters);
    own.set('host', host);
    if (parameters.has('port')) own.set('port', ports[index] ?? ports[0] ?? '');
    return own;
  });
  return [first, ...others];
}
