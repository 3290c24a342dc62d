import { findRelation, type CheckContext } from './check/lookups.ts';
import type { RestRequest } from './parse/rest-request.ts';

/** Returns the `Allow` header: the methods that the relation or function supports, regardless of the role. */
export function allowedMethods(context: CheckContext, { name, call, schema }: RestRequest): string {
  if (call) {
    const readOnly = context.cache.routines(schema, name).some((routine) => routine.readOnly);
    return readOnly ? 'OPTIONS,GET,HEAD,POST' : 'OPTIONS,POST';
  }
  if (name === '') return 'OPTIONS,GET,HEAD';
  const { insertable, updatable, deletable, primaryKey } = findRelation(context, name);
  return [
    'OPTIONS,GET,HEAD',
    ...(insertable ? ['POST'] : []),
    ...(insertable && updatable && primaryKey.length > 0 ? ['PUT'] : []),
    ...(updatable ? ['PATCH'] : []),
    ...(deletable ? ['DELETE'] : []),
  ].join(',');
}
