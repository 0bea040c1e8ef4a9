import { createHash, type KeyObject, randomBytes, sign, verify } from 'node:crypto';

/** The fields that an agent's signature covers. The path is relative to the server's base URL. */
export type AgentRequest = {
  readonly method: string;
  readonly path: string;
  /** Empty while the agent enrols: it has no id yet. */
  readonly agentId: string;
  readonly sentAtMs: number;
  /** Random, so that no two requests are equal and a replay is recognized. */
  readonly nonce: string;
  readonly body: string | Uint8Array;
};

/** The part of a request that its headers carry. */
export type RequestStamp = Pick<AgentRequest, 'agentId' | 'sentAtMs' | 'nonce'> & {
  readonly signature: Buffer;
};

// One line a field, and no field can hold a line break: no two requests have the same text.
const textOf = ({ method, path, agentId, sentAtMs, nonce, body }: AgentRequest): Buffer => {
  const hash = createHash('sha256').update(body).digest('base64url');
  return Buffer.from(
    ['sinete-agent-request-v1', method, path, agentId, String(sentAtMs), nonce, hash].join('\n'),
  );
};

/**
 * Signs a request of an agent. Returns the headers, and the nonce to which its answer is bound.
 * @example const { headers, nonce } = signRequest(identityKey, { method: 'POST', path: '/agent/poll', agentId, body });
 */
export function signRequest(
  key: KeyObject,
  request: Omit<AgentRequest, 'sentAtMs' | 'nonce'>,
  now = Date.now(),
): { readonly headers: Record<string, string>; readonly nonce: string } {
  const nonce = randomBytes(16).toString('base64url');
  const text = textOf({ ...request, sentAtMs: now, nonce });
  const headers = {
    'x-agent-id': request.agentId,
    'x-agent-time': String(now),
    'x-agent-nonce': nonce,
    'x-agent-signature': sign(null, text, key).toString('base64url'),
  };
  return { headers, nonce };
}

/**
 * The stamp in a request's headers, or nothing where a header is missing or malformed.
 * @example const stamp = stampOf(headers); if (!stamp) throw refuse('UNAUTHORIZED');
 */
export function stampOf(headers: Readonly<Record<string, string | undefined>>): RequestStamp | undefined {
  const agentId = /^[\w-]{0,64}$/.exec(headers['x-agent-id'] ?? '')?.[0];
  const time = /^\d{13}$/.exec(headers['x-agent-time'] ?? '')?.[0];
  const nonce = /^[\w-]{22}$/.exec(headers['x-agent-nonce'] ?? '')?.[0];
  const signature = /^[\w-]{86}$/.exec(headers['x-agent-signature'] ?? '')?.[0];
  if (agentId === undefined || !time || !nonce || !signature) return undefined;
  return { agentId, sentAtMs: Number(time), nonce, signature: Buffer.from(signature, 'base64url') };
}

/**
 * Whether the owner of this key signed this request.
 * @example if (!isSignedBy(agentKey, { method, path, body, ...stamp }, stamp.signature)) throw refuse('UNAUTHORIZED');
 */
export const isSignedBy = (key: KeyObject, request: AgentRequest, signature: Buffer): boolean =>
  verify(null, textOf(request), key, signature);
