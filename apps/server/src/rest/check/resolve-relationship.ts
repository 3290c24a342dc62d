/** Which relationship an embed means; wire contract "Embedding" and codes PGRST200, PGRST201. */
import { ApiError } from '../../errors.ts';
import type { DatabaseRole } from '../../principal.ts';
import { isUsable } from '../schema/grants.ts';
import type { CheckContext } from './lookups.ts';
import type { Relationship } from '../schema/relationships.ts';
import type { Relation } from '../schema/relation.ts';
import { findClosestName } from './similarity.ts';

/**
 * @param hint name of a constraint, a key column or a junction
 * @throws ApiError 400 PGRST200 for none, 300 PGRST201 for several
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
  if (!only) throw noRelationship(context, origin, target, hint, reachable);
  if (others.length > 0) throw ambiguous(context, origin, target, candidates);
  return only;
}

/** A relationship through a relation or a function that the role may not use at all is answered as unknown. */
function isUsableBy(role: DatabaseRole, { target, junction, routine }: Relationship): boolean {
  if (routine) return isUsable(routine.grants, role);
  return isUsable(target.grants, role) && (!junction || isUsable(junction.relation.grants, role));
}

function matches(candidate: Relationship, target: string, hint: string | null): boolean {
  const { origin, target: relation, name, pairs, junction, ownsKey } = candidate;
  const onlyPair = pairs.length === 1 ? pairs[0] : undefined;
  const itself = origin === relation;
  if (hint !== null) {
    if (relation.name !== target) return false;
    if (junction) return junction.relation.name === hint;
    if (itself && ownsKey) return false;
    return name === hint || onlyPair?.[0] === hint || onlyPair?.[1] === hint;
  }
  // Of a relation to itself, its name means the many side and the key column the one side.
  if (relation.name === target) return !itself || !ownsKey;
  if (relation.isView || junction) return false;
  return (name === target && (!itself || !ownsKey)) || (ownsKey && onlyPair?.[0] === target);
}

function noRelationship(
  { role, schema }: CheckContext,
  origin: Relation,
  target: string,
  hint: string | null,
  reachable: readonly Relationship[],
): ApiError {
  const using = hint === null ? '' : `using the hint '${hint}' `;
  const visible = reachable.filter((relationship) => relationship.target.visibleTo.has(role));
  const meant = findClosestName(
    target,
    visible.map((relationship) => relationship.routine?.name ?? relationship.target.name),
  );
  return new ApiError(
    400,
    'PGRST200',
    `Could not find a relationship between '${origin.name}' and '${target}' in the schema cache`,
    {
      details:
        `Searched for a foreign key relationship between '${origin.name}' and '${target}' ${using}` +
        `in the schema '${schema}', but no matches were found.`,
      hint: meant === null ? null : `Perhaps you meant '${meant}' instead of '${target}'.`,
    },
  );
}

function ambiguous(
  { role }: CheckContext,
  origin: Relation,
  target: string,
  candidates: readonly Relationship[],
): ApiError {
  const visible = candidates.filter(
    (candidate) =>
      candidate.target.visibleTo.has(role) && (candidate.junction?.relation.visibleTo.has(role) ?? true),
  );
  const choices = visible.map((candidate) => `'${candidate.target.name}!${candidate.name}'`);
  return new ApiError(
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
    const own = list(junction.originPairs.map(([, column]) => column));
    const other = list(junction.targetPairs.map(([, column]) => column));
    return `${junction.relation.name} using ${first}${own} and ${second}${other}`;
  }
  return `${name} using ${origin.name}${list(pairs.map(([own]) => own))} and ${target.name}${list(pairs.map(([, other]) => other))}`;
}
