import { hashSecret } from '../../../../shared/access/secrets.ts';
import { plainOf } from '../../../../shared/keyring/stored.ts';
import { openRecord, sealRecord } from '../../../../shared/signing/two-step/sealed-record.ts';
import type { SignatureRecord } from '../../../../shared/signing/two-step/two-step.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import type { SessionDocument, SignatureSession } from './session.ts';

/** A started signature. The signed file is made of it after its value arrives. */
export type StartedSignature = {
  readonly sessionId: string;
  readonly documentId: string;
  /** Hash of the `state` that the caller holds. The state itself is not stored. */
  readonly hash: string;
  /** The SignatureRecord. It opens for this session and state. */
  readonly sealedRecord: string;
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
  // Without a signature it is useless after it expires.
  indexed: ({ signature, expiresAtMs, keptUntilMs }) => ({
    ttl: Math.ceil((signature === null ? expiresAtMs : keptUntilMs) / 1000),
  }),
});

/** The started signature of a `state`. Refuses an expired one, and one of another document. */
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

const aboutOf = ({ sessionId, hash }: Id): string =>
  JSON.stringify(['pki started signature', sessionId, hash]);

/** A record in the form in which the store keeps it. */
export const sealStarted = (id: Id, record: SignatureRecord): Promise<string> =>
  sealRecord(aboutOf(id), record);

/** The record of a started signature. Throws where it does not open. */
export const recordOf = async (started: StartedSignature): Promise<SignatureRecord> =>
  plainOf(
    `The started signature of document ${started.documentId}`,
    await openRecord(aboutOf(started), started.sealedRecord),
  );
