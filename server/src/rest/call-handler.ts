/** `/rpc/{function}`: from the request's arguments to one statement and its answer. */
import { Refusal } from '../errors.ts';
import type { Answer } from './answer.ts';
import { checkCallResult, chooseRoutine, type GivenArguments } from './check/call.ts';
import type { CheckContext } from './check/names.ts';
import { compileCall, type CallArguments } from './compile/call.ts';
import type { BodyForm } from './compile/frame.ts';
import type { Guards } from './compile/guard.ts';
import { fill, type Compiled } from './compile/text.ts';
import type { DataRequest } from './parse/data-request.ts';
import { parseNames } from './parse/select.ts';
import type { Slot, SlotValue } from './plan/plan.ts';
import type { QueryTokens } from './parse/query-tokens.ts';
import { readPairs } from './parse/body-rows.ts';
import { decodeBody, emptyOrInvalid, type BodyType } from './parse/request-body.ts';
import type { Asked, RequestTools } from './request-tools.ts';
import { contentLocation, readAnswer, type ReadRow } from './respond.ts';
import type { Routine } from './schema/routines.ts';

export async function handleCall(tools: RequestTools, asked: Asked): Promise<Answer> {
  const { request } = asked;
  const { format, preferences } = request;
  const tokens = tools.tokens(request, request.method !== 'POST');
  const input = await readCallInput(request, tokens, asked.readBody);
  const strict = preferences.handling === 'strict' && preferences.maxAffected !== null;
  const shape = [
    'call',
    request.method,
    request.schema,
    request.name,
    format.shape,
    format.stripNulls,
    preferences.return,
    preferences.count !== null,
    strict,
    input.given.names,
    input.given.whole,
    tokens.shape,
  ];
  const plan = await tools.plans.get<CallPlan>(shape, async () =>
    planCall(await tools.context(asked), request, tokens, input, {
      maxRows: tools.config.MAX_ROWS,
      embedDepth: tools.config.EMBED_DEPTH,
      maxAffected: strict
        ? tokens.values.length + (input.body === null ? input.given.names.length : 1)
        : null,
    }),
  );
  const values = [...callValues(plan, tokens, input), preferences.maxAffected];
  const readOnly = request.method !== 'POST' || plan.routine.readOnly;
  const limited = { ...asked, timeLimit: plan.routine.timeLimit };
  const answer = await tools.run(limited, readOnly, fill(plan.statement, values));
  if (format.explain) return tools.explainAnswer(asked, answer);
  const [page, total, body] = answer.rows[0] ?? [];
  return callAnswer(
    tools,
    asked,
    plan,
    { page: Number(page), total: total ? Number(total) : null, body: body ?? '' },
    tokens,
  );
}

function callAnswer(
  tools: RequestTools,
  asked: Asked,
  plan: CallPlan,
  row: ReadRow,
  tokens: QueryTokens,
): Answer {
  const { request } = asked;
  const headers = tools.headers(asked);
  if (plan.routine.result === 'void') {
    return { status: 204, headers: { ...headers, 'Content-Range': '0-0/*' }, body: null };
  }
  const offset = plan.offset === null ? 0 : Number(tokens.values[plan.offset]);
  return readAnswer(request, row, offset, headers, contentLocation(request, tokens.sorted));
}

/** The arguments of one call. */
interface CallInput {
  readonly given: GivenArguments;
  /** The body's text; null where each argument is a text of its own: GET, HEAD and forms. */
  readonly body: string | null;
  /** Those texts by argument name. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

const callBodies: readonly BodyType[] = ['json', 'form', 'text', 'xml', 'bytea'];

/** @throws Refusal 400 PGRST102 for a body of another type, or of another form than its type says */
async function readCallInput(
  { method, headers }: DataRequest,
  tokens: QueryTokens,
  read: () => Promise<ArrayBuffer>,
): Promise<CallInput> {
  if (method !== 'POST') return separateTexts(tokens.parameters);
  const { type, text } = decodeBody(await read(), headers.get('content-type'), callBodies);
  if (type === 'form') return separateTexts(readPairs(text).map(([name, value]) => ({ name, value })));
  if (type !== 'json') return { given: { names: [], whole: type }, body: text, values: new Map() };
  const body = text === '' ? '{}' : text;
  const names = tokens.columns === null ? keysOf(body) : parseNames(tokens.columns, 'columns parameter');
  return { given: { names, whole: type }, body, values: new Map() };
}

function separateTexts(pairs: QueryTokens['parameters']): CallInput {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return { given: { names: [...values.keys()], whole: null }, body: null, values };
}

function keysOf(text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw emptyOrInvalid('json');
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}

/** What is known of a call before its values. */
interface CallPlan {
  readonly routine: Routine;
  readonly statement: Compiled;
  readonly offset: Slot | null;
  /** Names whose values follow the tokens' own in the list of values. */
  readonly names: readonly string[];
}

interface CallOptions {
  readonly maxRows: number;
  readonly embedDepth: number;
  /** Slot of the most rows that may be returned. */
  readonly maxAffected: Slot | null;
}

/** @throws Refusal as `chooseRoutine` and for unknown names of the result */
function planCall(
  context: CheckContext,
  request: DataRequest,
  tokens: QueryTokens,
  input: CallInput,
  options: CallOptions,
): CallPlan {
  const { routine, wholeBody } = chooseRoutine(context, request.name, input.given);
  if (options.maxAffected !== null && !routine.returnsSet) {
    throw new Refusal(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    );
  }
  const level = checkCallResult(context, routine, tokens, options.embedDepth);
  const first = tokens.values.length;
  const { names } = input.given;
  const args: CallArguments =
    input.body !== null
      ? { kind: 'body', slot: first, names, whole: wholeBody }
      : names.length === 0
        ? { kind: 'none' }
        : { kind: 'values', slots: new Map(names.map((name, index) => [name, first + index])) };
  // A read that fails its singular check changed nothing, so only calls that may write need the guard.
  const single = request.format.shape === 'object' && request.method === 'POST' && routine.returnsSet;
  const guards: Guards = { keyed: false, single, maxAffected: options.maxAffected, unfiltered: null };
  const statement = compileCall(routine, args, level, {
    maxRows: options.maxRows,
    total: request.preferences.count === null ? 'none' : 'all',
    body: bodyForm(request, routine),
    guards,
  });
  return { routine, statement, offset: level.offset, names };
}

function bodyForm({ method, format, preferences }: DataRequest, routine: Routine): BodyForm {
  const { stripNulls } = format;
  const silent = method === 'HEAD' || (method === 'POST' && preferences.return === 'minimal');
  if (silent || routine.result === 'void') return { shape: 'none', stripNulls };
  if (format.shape === 'csv') return { shape: 'csv', stripNulls };
  const one = !routine.returnsSet || format.shape === 'object';
  if (routine.result === 'scalar') return { shape: one ? 'value' : 'values', stripNulls: false };
  return { shape: one ? 'object' : 'array', stripNulls };
}

/** The values of a call behind those of its query, in the order that `planCall` counts on. */
function callValues(
  plan: Pick<CallPlan, 'routine' | 'names'>,
  tokens: QueryTokens,
  input: CallInput,
): SlotValue[] {
  if (input.body !== null) return [...tokens.values, input.body];
  const variadic = new Set(
    plan.routine.arguments.filter((argument) => argument.variadic).map(({ name }) => name),
  );
  const own = plan.names.map((name) => {
    const given = input.values.get(name) ?? [];
    const [only] = given;
    const list = given.length > 1 || (variadic.has(name) && !only?.startsWith('{'));
    return list
      ? `{${given.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
      : (only ?? null);
  });
  return [...tokens.values, ...own];
}
