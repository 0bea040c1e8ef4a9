import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { collection } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { publicKeyIn, publicText } from '../../../../shared/workstation/keys.ts';
import type { Enrolment } from '../../../../shared/workstation/messages.ts';
import { sealPin } from '../../../../shared/workstation/sealed-pin.ts';
import { errors } from '../../errors.ts';
import { type Agent, agents, listing, newServerKey } from './agent.ts';

/** A code that enrols one workstation, once and soon. Only its hash is kept. */
type EnrolmentCode = {
  readonly hash: string;
  readonly expiresAtMs: number;
  readonly cpf?: string;
  readonly usedAtMs?: number;
};

const codes = collection<EnrolmentCode, string>({
  service: 'session',
  name: 'enrolment code',
  id: ({ hash }) => hash,
  key: (hash) => ({ pk: `ENROLMENT#${hash}`, sk: 'CODE' }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

// Crockford's base 32: no I, L, O and U, which are misread or make words. 26 characters hold 130 bits.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 26;

function newCode(): string {
  const letters = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}

// Case and dashes do not matter.
const hashOf = (code: string): string =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
    .digest('hex');

const CODE_VALID_MS = 900_000;

/** Creates a code to type at the workstation. @example const { code } = await createEnrolmentCode({ cpf }, Date.now()) */
export async function createEnrolmentCode(
  { cpf }: { readonly cpf?: string },
  nowMs: number,
): Promise<{ readonly code: string; readonly expiresAtMs: number }> {
  const code = newCode();
  const expiresAtMs = nowMs + CODE_VALID_MS;
  await codes.create({ hash: hashOf(code), expiresAtMs, ...(cpf && { cpf }) });
  return { code, expiresAtMs };
}

/** Creates the agent of a code. Used, expired and unknown codes get the same refusal. */
export async function enrolAgent(
  { code: text, name, ed25519, x25519 }: Enrolment,
  nowMs: number,
): Promise<Agent> {
  const code = await codes.get(hashOf(text));
  if (!code || code.usedAtMs !== undefined || code.expiresAtMs <= nowMs) throw errors.refuse('UNAUTHORIZED');
  if (!acceptsSealedPins(x25519)) throw errors.refuse('INVALID_REQUEST', { field: 'x25519' });
  const id = randomUUID();
  const agent: Agent = {
    id,
    name,
    ed25519,
    x25519,
    sealedServerKey: await newServerKey(id),
    ...(code.cpf && { cpf: code.cpf }),
    certificates: [],
    enrolledAtMs: nowMs,
    disabled: false,
  };
  try {
    const used = codes.changing(code, { usedAtMs: nowMs }, { when: { usedAtMs: undefined } });
    await agents.create(agent, { also: [listing(agent.id), used] });
  } catch (error) {
    // Another workstation used the same code first.
    if (error instanceof RaceLost || error instanceof AlreadyExists) throw errors.refuse('UNAUTHORIZED');
    throw error;
  }
  return agent;
}

// RFC 7748, section 6.1: points of small order give an all-zero secret. They must fail the enrolment, not a session.
function acceptsSealedPins(x25519: string): boolean {
  const key = publicKeyIn(x25519, 'x25519');
  if (!key || publicText(key) !== x25519) return false;
  try {
    sealPin('', key, { agentId: '', taskId: '' });
    return true;
  } catch {
    return false;
  }
}
