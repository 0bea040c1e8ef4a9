import { house } from '../settings/house.ts';
import { readBody } from './body/reader.ts';
import type { Call } from './call.ts';
import type { Declaration, Input } from './declaration.ts';
import { validate } from './validate.ts';

// A public endpoint has no caller; it is given one that may do nothing.
const NOBODY = { application: '', keyId: '', permissions: [], registered: {} };

/** Everything an endpoint declared, read and held against its shapes. */
export async function inputOf(
  declaration: Declaration,
  call: Call,
): Promise<Input<undefined, undefined, unknown>> {
  const { params, query, body: reader } = declaration;
  const input = {
    params: params ? (validate(params, { ...call.params }) as Record<string, string>) : call.params,
    query: query ? (validate(query, { ...call.query }) as Record<string, string>) : call.query,
  };
  const limitBytes = Math.min(
    house['Http:MaxBodyBytes'],
    declaration.maxBodyBytes?.() ?? reader?.ceilingBytes() ?? 0,
  );
  return {
    ...input,
    body: reader && (await readBody(reader, call.body, limitBytes)),
    method: call.method,
    path: call.path,
    headers: call.headers,
    cookies: call.cookies,
    caller: call.caller ?? NOBODY,
    correlationId: call.correlationId,
    clientAddress: call.clientAddress,
    deadlineAtMs: Date.now() + call.remainingMs(),
    hangUp: call.hangUp,
  };
}
