import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { AgentAnswer } from './messages.ts';

// Replay: the request's nonce binds an answer to one request.
const textOf = (nonce: string, payload: string): Buffer => {
  const hash = createHash('sha256').update(payload).digest('base64url');
  return Buffer.from(['sinete-agent-answer-v1', nonce, hash].join('\n'));
};

/**
 * Signs an answer to one request of an agent.
 * @example return signAnswer(serverKey, stamp.nonce, { tasks, withdrawn });
 */
export function signAnswer(key: KeyObject, nonce: string, value: unknown): AgentAnswer {
  const payload = JSON.stringify(value);
  return { payload, signature: sign(null, textOf(nonce, payload), key).toString('base64url') };
}

/**
 * The value of a signed answer, or undefined where it is not the server's, or not to this request.
 * @example const value = openAnswer(serverKey, nonce, await response.json());
 */
export function openAnswer(key: KeyObject, nonce: string, answer: unknown): unknown {
  const read = AgentAnswer.safeParse(answer);
  if (!read.success) return undefined;
  const { payload, signature } = read.data;
  const holds = verify(null, textOf(nonce, payload), key, Buffer.from(signature, 'base64url'));
  // Parses the verified text itself, not a copy that an attacker could change.
  return holds ? JSON.parse(payload) : undefined;
}
