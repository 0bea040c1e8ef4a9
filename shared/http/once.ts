import { createHash } from 'node:crypto';
import { Problem } from '../errors/errors.ts';
import type { ServiceName } from '../settings/names.ts';
import { runOnce } from '../store/kept-answers.ts';
import type { Call } from './call.ts';
import type { Declaration, Once } from './declaration.ts';
import { type Answer, json } from './response/answer.ts';

const HEADER = 'Idempotency-Key';

/** The header as the contract document shows it. */
export const IDEMPOTENCY_HEADER = {
  name: HEADER,
  in: 'header',
  required: false,
  description:
    'A value of your own, for this request alone. Sent again with it within a day, the request is answered as the first time and creates nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

// Printable ASCII: the header is compared byte by byte.
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Carries out a call once, where its operation takes an Idempotency-Key and it has one. */
export function onceOf(
  service: ServiceName,
  { once, route, answers }: Declaration,
  { headers, caller }: Pick<Call, 'headers' | 'caller'>,
): Once {
  const key = headers['idempotency-key'];
  if (!once || key === undefined || !caller) return (_, run) => run();
  if (!KEY.test(key))
    throw new Problem('invalid', { header: HEADER, reason: 'has 1 to 255 printable characters, no space' });
  const id = hashOf([service, caller.application, route, key]);
  const status = Number(Object.keys(answers).find((each) => each.startsWith('2')));

  return async <T>(compared: unknown, run: () => Promise<T>) => {
    const request = { id, fingerprint: hashOf(compared) };
    return runOnce<T | Answer>(service, request, run, ({ fingerprint, value }) => {
      if (fingerprint !== request.fingerprint)
        throw new Problem('invalid', { header: HEADER, reason: 'was sent with another request before' });
      return json(value, { status, headers: { 'idempotency-replayed': 'true' } });
    });
  };
}

const hashOf = (value: unknown): string => sha256(JSON.stringify(value, bytesAsHash));

// JSON has made a list of numbers of a Buffer before a replacer sees it as a value.
function bytesAsHash(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name];
  return given instanceof Uint8Array ? sha256(given) : value;
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
