import * as z from 'zod';
import { commonSettings } from '../settings/common.ts';
import { readBody, undeclaredBody } from './body/reader.ts';
import type { Call } from './call.ts';
import type { Declaration, Input } from './declaration.ts';
import type { Service } from './endpoint.ts';
import { readQuery } from './query.ts';
import { type FieldCheck, unknownFields } from './unknown-fields.ts';
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
  const { params, query } = declaration;
  const pathParams = params ? (validatePath(params, call) as Record<string, string>) : call.params;
  const check = fieldCheckOf(service, declaration);
  check?.(query ?? NO_FIELDS, { ...call.query });
  const input = {
    params: pathParams,
    query: query ? (readQuery(service, query, call) as Record<string, string>) : call.query,
  };
  // A body sent to an operation without one is checked: its options would otherwise be ignored silently.
  const isUndeclared = check !== undefined && call.method !== 'GET';
  const reader = declaration.body ?? (isUndeclared ? undeclaredBody(NO_FIELDS) : undefined);
  const limitBytes = Math.min(
    commonSettings['Http:MaxBodyBytes'],
    declaration.maxBodyBytes?.() ?? reader?.ceilingBytes() ?? 0,
  );
  return {
    ...input,
    body: reader && (await readBody(reader, call.body, limitBytes, check)),
    method: call.method,
    path: call.path,
    headers: call.headers,
    cookies: call.cookies,
    caller: call.caller ?? NOBODY,
    correlationId: call.correlationId,
    clientAddress: call.clientAddress,
    startedAtMs: call.startedAtMs,
    deadlineAtMs: Date.now() + call.remainingMs(),
    hangUp: call.hangUp,
  };
}

// Bounds names that the caller chose, in the details of a refusal.
const MAX_NAME_LENGTH = 100;

/**
 * The check of a service that refuses options outside its contract; undefined for a service that ignores them. Pages
 * are exempt: links to them are passed on with added parameters.
 */
function fieldCheckOf(service: Service, { undocumented }: Declaration): FieldCheck | undefined {
  const { unknownOptions: code } = service;
  if (code === undefined || undocumented) return undefined;
  return (shape, value) => {
    const [path] = unknownFields(shape, value);
    if (!path) return;
    const field = path.join('.');
    const option = path.findLast((name) => !/^\d+$/.test(name)) ?? field;
    throw service.errors.refuse(code, {
      option: option.slice(0, MAX_NAME_LENGTH),
      ...(field !== option && { field: field.slice(0, 2 * MAX_NAME_LENGTH) }),
    });
  };
}
