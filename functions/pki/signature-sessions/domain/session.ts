import { readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureInput } from '../../../../shared/signing/two-step/format.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';

/**
 * A session waits for one person, who signs every document or cancels. Its signed files are then made in the
 * background, all or none.
 */
export const signatureSessionStates = stateMachine({
  Pending: { signed: 'Processing', cancelled: 'UserCancelled', expired: 'Expired' },
  Processing: { filesMade: 'Completed', failed: 'ProcessingError' },
  Completed: {},
  UserCancelled: {},
  Expired: {},
  ProcessingError: {},
});

/** A document of a session is signed once. It is completed with its session. */
export const sessionDocumentStates = stateMachine({
  Pending: { signatureGiven: 'Signed' },
  Signed: { fileMade: 'Completed' },
  Completed: {},
});

/** A file of a session, in the service's bucket. */
export type SessionDocument = {
  readonly id: string;
  readonly state: StateOf<typeof sessionDocumentStates>;
  readonly name: string;
  readonly contentType: string;
  readonly format: SignatureFormat;
  readonly original: { readonly key: string; readonly size: number };
  /** The started signature that was completed, by its hash. */
  readonly signatureHash: string | null;
  readonly signed: { readonly key: string; readonly size: number } | null;
};

/** The session of one signer, with its documents: one item, so that they never disagree. */
export type SignatureSession = {
  readonly id: string;
  readonly application: string;
  readonly state: StateOf<typeof signatureSessionStates>;
  readonly returnUrl: string;
  readonly securityContextId: string;
  readonly ignoreRevocationStatusUnknown: boolean;
  readonly tokenHash: string;
  readonly createdAtMs: number;
  /** When the token expires, and with it the wait for the person. */
  readonly expiresAtMs: number;
  readonly keptUntilMs: number;
  /** The CPF that must sign. Sessions older than this option have none written. */
  readonly signerCpf?: string | null;
  readonly documents: readonly SessionDocument[];
  /** SHA-256 of the certificate of the first signature: the others need the same one. */
  readonly signerSha256: string | null;
  /** Why making the files failed. */
  readonly failure: string | null;
};

export const signatureSessions = collection<SignatureSession, string>({
  service: 'pki',
  name: 'signature session',
  id: ({ id }) => id,
  key: (id) => ({ pk: `SIGNATURE-SESSION#${id}`, sk: 'SESSION' }),
  indexed: ({ keptUntilMs }) => ({ ttl: Math.ceil(keptUntilMs / 1000) }),
});

/** The folder of all files of a session. */
export const sessionFolder = (sessionId: string): string => `signature-sessions/${sessionId}/`;

/** The folder of the files of one document, which outlives the session once it is signed. */
export const documentFolder = (sessionId: string, id: string): string => `${sessionFolder(sessionId)}${id}/`;

/** The input of both signing steps that follows from the document: it is signed once, by one person. */
export const documentInput = ({
  original,
}: SessionDocument): Pick<SignatureInput, 'file' | 'othersFollow'> => ({
  file: {
    read: () => readFile('pki', original),
    stream: () => streamFile('pki', original.key),
    isSigned: false,
  },
  othersFollow: false,
});
