import * as z from 'zod';
import { commonSettings } from '../settings/common.ts';
import { readBody, undeclaredBody } from './body/reader.ts';
import type { Call } from './call.ts';
import { type Declaration, type Input, isPublic } from './declaration.ts';
import type { Service } from './endpoint.ts';
import { onceOf } from './once.ts';
import { readQuery } from './query.ts';
import { type FieldCheck, type Notation, unknownFields } from './unknown-fields.ts';
import { validatePath } from './validate.ts';

// The caller of a public endpoint: without permissions.
const NOBODY = { application: '', keyId: '', permissions: [], registered: {} };

const NO_FIELDS = z.object({});

/** Reads and validates everything that an endpoint declares. */
export async function inputOf(
  service: Service,
  declaration: Declaration,
  call: Call,
): Promise<Input<undefined, undefined, unknown>> {
  const { params, query, access = 'key' } = declaration;
  const { mediaType } = call.body;
  const pathParams = params ? (validatePath(params, call) as Record<string, string>) : call.params;
  const check = checksFields(declaration) ? fieldCheckOf(service) : undefined;
  // A strict query names its unknown parameters itself.
  if (!query || service.invalidQuery === undefined) check?.(query ?? NO_FIELDS, { ...call.query }, 'query');
  const input = {
    params: pathParams,
    query: query ? (readQuery(service, query, call) as Record<string, string>) : call.query,
  };
  // A body sent to an operation without one is checked: its options would otherwise be ignored silently.
  const isUndeclared = check !== undefined && call.method !== 'GET';
  const reader = declaration.body ?? (isUndeclared ? undeclaredBody(NO_FIELDS) : undefined);
  const limitBytes = Math.min(
    commonSettings['Http:MaxBodyBytes'],
    declaration.maxBodyBytes?.() ?? reader?.ceilingBytes({ mediaType, isOpen: isPublic(access) }) ?? 0,
  );
  return {
    ...input,
    body: reader && (await readBody(reader, call.body, limitBytes, check)),
    method: call.method,
    path: call.path,
    headers: call.headers,
    cookies: call.cookies,
    caller: call.caller ?? NOBODY,
    entered: call.entered,
    once: onceOf(service.name, declaration, call),
    correlationId: call.trace.correlationId,
    clientAddress: call.clientAddress,
    startedAtMs: call.startedAtMs,
    deadlineAtMs: Date.now() + call.remainingMs(),
    hangUp: call.hangUp,
  };
}

const NOT_KNOWN: Record<Notation, string> = {
  json: 'is not supported',
  query: 'is not a parameter of this operation',
  form: 'is not a field of this form',
};

// Bounds names that the caller chose, in the details of a refusal.
const MAX_NAME_LENGTH = 100;

// Pages are exempt: links to them are passed on with added parameters.
const checksFields = ({ undocumented, ignoresUnknownOptions }: Declaration): boolean =>
  !undocumented && !ignoresUnknownOptions;

/**
 * The check of a service that refuses options outside its contract; undefined for a service that ignores them.
 * @example fieldCheckOf(credentials)?.(CreateDegree, parseJson(line)); // for what is no body of a request
 */
export function fieldCheckOf(service: Service): FieldCheck | undefined {
  const { unknownOptions: code } = service;
  if (code === undefined) return undefined;
  return (shape, value, notation = 'json') => {
    const [path] = unknownFields(shape, value, notation);
    if (!path) return;
    const field = path.join('.').slice(0, 2 * MAX_NAME_LENGTH);
    const option = (path.findLast((name) => !/^\d+$/.test(name)) ?? field).slice(0, MAX_NAME_LENGTH);
    const details = { option, ...(field !== option && { field }) };
    throw service.errors.refuse(code, details, { fields: [{ field, message: NOT_KNOWN[notation] }] });
  };
}
