/** Resolves the relationship of an embed (PostgREST documentation, "Resource Embedding"). */
import { RestError } from '../errors.ts';
import type { DatabaseRole } from '../rest-types.ts';
import { isUsable } from '../schema/grants.ts';
import type { CheckContext } from './lookups.ts';
import type { Relationship } from '../schema/relationships.ts';
import type { Relation } from '../schema/relation.ts';
import { findClosestName } from './similarity.ts';

/**
 * Returns the relationship that an embed names.
 *
 * @param hint name of a foreign key, a key column or a junction; null without a hint
 * @throws RestError 400 PGRST200 for no relationship; 300 PGRST201 for several
 */
export function resolveRelationship(
  context: CheckContext,
  origin: Relation,
  target: string,
  hint: string | null,
): Relationship {
  const { role, schema, cache } = context;
  const reachable = cache
    .relationshipsOf(origin)
    .filter(({ target: { schema: other } }) => other === schema)
    .filter((relationship) => isUsableBy(role, relationship));
  const computed = reachable.filter(({ routine, name }) => routine && name === target);
  const candidates =
    computed.length > 0
      ? computed
      : reachable.filter((candidate) => !candidate.routine && matches(candidate, target, hint));
  const [only, ...others] = candidates;
  if (!only) throw noRelationshipError(context, origin, target, hint, reachable);
  if (others.length > 0) throw ambiguousRelationshipError(context, origin, target, candidates);
  return only;
}

/**
 * Returns false if the role has no privilege on the target, junction or function; such relationships are reported as
 * unknown.
 */
function isUsableBy(role: DatabaseRole, { target, junction, routine }: Relationship): boolean {
  if (routine) return isUsable(routine.grants, role);
  return isUsable(target.grants, role) && (!junction || isUsable(junction.relation.grants, role));
}

function matches(candidate: Relationship, target: string, hint: string | null): boolean {
  const { origin, target: relation, name, pairs, junction, ownsKey } = candidate;
  const onlyPair = pairs.length === 1 ? pairs[0] : undefined;
  const isSelfReference = origin === relation;
  if (hint !== null) {
    if (relation.name !== target) return false;
    if (junction) return junction.relation.name === hint;
    if (isSelfReference && ownsKey) return false;
    return name === hint || onlyPair?.[0] === hint || onlyPair?.[1] === hint;
  }
  // In a self-reference, the relation name means the to-many side and the key column the to-one side.
  if (relation.name === target) return !isSelfReference || !ownsKey;
  if (relation.isView || junction) return false;
  return (name === target && (!isSelfReference || !ownsKey)) || (ownsKey && onlyPair?.[0] === target);
}

function noRelationshipError(
  { role, schema }: CheckContext,
  origin: Relation,
  target: string,
  hint: string | null,
  reachable: readonly Relationship[],
): RestError {
  const using = hint === null ? '' : `using the hint '${hint}' `;
  const visible = reachable.filter((relationship) => relationship.target.visibleTo.includes(role));
  const suggestion = findClosestName(
    target,
    visible.map((relationship) => relationship.routine?.name ?? relationship.target.name),
  );
  return new RestError(
    400,
    'PGRST200',
    `Could not find a relationship between '${origin.name}' and '${target}' in the schema cache`,
    {
      details:
        `Searched for a foreign key relationship between '${origin.name}' and '${target}' ${using}` +
        `in the schema '${schema}', but no matches were found.`,
      hint: suggestion === null ? null : `Perhaps you meant '${suggestion}' instead of '${target}'.`,
    },
  );
}

function ambiguousRelationshipError(
  { role }: CheckContext,
  origin: Relation,
  target: string,
  candidates: readonly Relationship[],
): RestError {
  const visible = candidates.filter(
    (candidate) =>
      candidate.target.visibleTo.includes(role) &&
      (candidate.junction?.relation.visibleTo.includes(role) ?? true),
  );
  const choices = visible.map((candidate) => `'${candidate.target.name}!${candidate.name}'`);
  return new RestError(
    300,
    'PGRST201',
    `Could not embed because more than one relationship was found for '${origin.name}' and '${target}'`,
    {
      details: visible.map((candidate) => ({
        cardinality: candidate.cardinality,
        embedding: `${origin.name} with ${candidate.target.name}`,
        relationship: describe(candidate),
      })),
      hint:
        choices.length === 0
          ? null
          : `Try changing '${target}' to one of the following: ${choices.join(', ')}. ` +
            `Find the desired relationship in the 'details' key.`,
    },
  );
}

function describe({ name, origin, target, pairs, junction }: Relationship): string {
  const list = (columns: readonly string[]): string => `(${columns.join(', ')})`;
  if (junction) {
    const [first, second] = junction.constraints;
    const originColumns = list(junction.originPairs.map(([, column]) => column));
    const targetColumns = list(junction.targetPairs.map(([, column]) => column));
    return `${junction.relation.name} using ${first}${originColumns} and ${second}${targetColumns}`;
  }
  return `${name} using ${origin.name}${list(pairs.map(([column]) => column))} and ${target.name}${list(pairs.map(([, column]) => column))}`;
}
