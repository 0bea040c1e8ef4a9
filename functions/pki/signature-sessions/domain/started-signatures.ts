import { hashSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import type { SessionDocument, SignatureSession } from './session.ts';

/** A signature that was started. Once its value came, its file is made of it. Bytes are base64. */
export type StartedSignature = {
  readonly sessionId: string;
  readonly documentId: string;
  /** Of the `state` that was given out; that itself is not kept. */
  readonly hash: string;
  readonly certificate: string;
  readonly chain: readonly string[];
  readonly signingTimeMs: number;
  readonly toSignHash: string;
  /** What the format needs to complete, as JSON text. */
  readonly prepared: string;
  readonly signature: string | null;
  readonly expiresAtMs: number;
  readonly keptUntilMs: number;
};

type Id = Pick<StartedSignature, 'sessionId' | 'hash'>;

export const startedSignatures = collection<StartedSignature, Id>({
  service: 'pki',
  name: 'started signature',
  id: ({ sessionId, hash }) => ({ sessionId, hash }),
  key: ({ sessionId, hash }) => ({ pk: `SIGNATURE-SESSION#${sessionId}`, sk: `SIGNATURE#${hash}` }),
  // One that nobody completed is of no use once its time is over.
  indexed: ({ signature, expiresAtMs, keptUntilMs }) => ({
    ttl: Math.ceil((signature === null ? expiresAtMs : keptUntilMs) / 1000),
  }),
});

/** The signature that a `state` completes. One that is over, or of another document, completes nothing. */
export async function findStarted(
  { id: sessionId }: SignatureSession,
  { id: documentId }: SessionDocument,
  state: string,
  nowMs: number,
): Promise<Stored<StartedSignature>> {
  const found = await startedSignatures.get({ sessionId, hash: hashSecret(state) });
  if (found?.documentId !== documentId || nowMs >= found.expiresAtMs) throw errors.refuse('InvalidToken');
  return found;
}
