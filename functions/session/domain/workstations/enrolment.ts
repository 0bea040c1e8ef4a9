import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { collection } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { privateText, publicKeyIn, publicText } from '../../../../shared/workstation/keys.ts';
import type { Enrolment } from '../../../../shared/workstation/messages.ts';
import { sealPin } from '../../../../shared/workstation/sealed-pin.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type Agent, agents, listing } from './agent.ts';

/** Lets one workstation in, once and soon. Only its hash is kept. */
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

// Without I, L, O and U: nothing that is misread, and no words. 26 of them hold 130 bits.
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 26;

function newCode(): string {
  const letters = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return letters.replace(/(.{5})(?=.)/g, '$1-');
}

// However it was typed: the dashes are for the eye.
const hashOf = (code: string): string =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
    .digest('hex');

/** A code to be typed at the workstation. It is told once. @example const { code } = await createEnrolmentCode({ cpf }) */
export async function createEnrolmentCode(
  { cpf }: { readonly cpf?: string } = {},
  now = Date.now(),
): Promise<{ readonly code: string; readonly expiresAtMs: number }> {
  const code = newCode();
  const expiresAtMs = now + settings['Agents:EnrolmentCodeValidFor'] * 1000;
  await codes.create({ hash: hashOf(code), expiresAtMs, ...(cpf && { cpf }) });
  return { code, expiresAtMs };
}

/** Makes the agent that the code lets in. Used, expired and unknown codes are one refusal. */
export async function enrolAgent(
  { code: given, name, ed25519, x25519 }: Enrolment,
  now = Date.now(),
): Promise<Agent> {
  const code = await codes.get(hashOf(given));
  if (!code || code.usedAtMs !== undefined || code.expiresAtMs <= now) throw errors.refuse('UNAUTHORIZED');
  if (!takesSealedPins(x25519)) throw errors.refuse('INVALID_REQUEST', { field: 'x25519' });
  const agent: Agent = {
    id: randomUUID(),
    name,
    ed25519,
    x25519,
    serverKey: privateText(generateKeyPairSync('ed25519').privateKey),
    ...(code.cpf && { cpf: code.cpf }),
    certificates: [],
    enrolledAtMs: now,
    disabled: false,
  };
  try {
    const used = codes.changing(code, { usedAtMs: now }, { when: { usedAtMs: undefined } });
    await agents.create(agent, { also: [listing(agent.id), used] });
  } catch (error) {
    // Two workstations came with one code, and the other was faster.
    if (error instanceof RaceLost || error instanceof AlreadyExists) throw errors.refuse('UNAUTHORIZED');
    throw error;
  }
  return agent;
}

// Some points of the curve give no secret with any key. Found here, they stop an enrolment and not a session.
function takesSealedPins(x25519: string): boolean {
  const key = publicKeyIn(x25519, 'x25519');
  if (!key || publicText(key) !== x25519) return false;
  try {
    sealPin('', key, { agentId: '', taskId: '' });
    return true;
  } catch {
    return false;
  }
}
