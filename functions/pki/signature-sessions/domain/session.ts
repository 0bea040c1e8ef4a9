import { readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureInput } from '../../../../shared/signing/two-step/format.ts';
import { collection } from '../../../../shared/store/collection.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import type { sessionDocumentStates } from './document-states.ts';
import type { signatureSessionStates } from './session-states.ts';

/** A file of a session, in the service's bucket. */
export type SessionDocument = {
  readonly id: string;
  readonly state: StateOf<typeof sessionDocumentStates>;
  readonly name: string;
  readonly contentType: string;
  readonly format: SignatureFormat;
  readonly original: { readonly key: string; readonly size: number };
  /** Which of the signatures that were started is its own, by its hash. */
  readonly signatureHash: string | null;
  readonly signed: { readonly key: string; readonly size: number } | null;
};

/** One person's visit to sign, with its documents: one item, so that none is out of step with its session. */
export type SignatureSession = {
  readonly id: string;
  readonly application: string;
  readonly state: StateOf<typeof signatureSessionStates>;
  readonly returnUrl: string;
  readonly securityContextId: string;
  readonly ignoreRevocationStatusUnknown: boolean;
  readonly tokenHash: string;
  readonly createdAtMs: number;
  /** When the token ends, and with it the wait for the person. */
  readonly expiresAtMs: number;
  readonly keptUntilMs: number;
  readonly documents: readonly SessionDocument[];
  /** SHA-256 of the certificate that signed the first document: the others want the same. */
  readonly signerSha256: string | null;
  /** Why the files could not be made. */
  readonly failure: string | null;
};

export const signatureSessions = collection<SignatureSession, string>({
  service: 'pki',
  name: 'signature session',
  id: ({ id }) => id,
  key: (id) => ({ pk: `SIGNATURE-SESSION#${id}`, sk: 'SESSION' }),
  indexed: ({ keptUntilMs }) => ({ ttl: Math.ceil(keptUntilMs / 1000) }),
});

/** Where everything that a session keeps is. */
export const folderOf = (sessionId: string): string => `signature-sessions/${sessionId}/`;

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
