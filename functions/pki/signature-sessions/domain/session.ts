import { readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureInput } from '../../../../shared/signing/two-step/format.ts';
import { visibleOf } from '../../../../shared/signing/visual/representation.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import type { Cpf } from '../../../../shared/taxpayer/cpf.ts';
import type { Metadata } from '../../documents/domain/document-keys.ts';
import { readVisual } from '../../pdf/domain/visual.ts';
import type { XadesOptions } from '../../signatures/domain/xml-options.ts';

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
  // Documents of sessions that began before these fields have none written.
  /** The key of the document to be: one that was given out for it, or a new one that nobody else has. */
  readonly documentKey?: { readonly key: string; readonly isGivenOut: boolean };
  /** How many entries its key has in the index of unused keys. */
  readonly keyEntries?: number;
  readonly metadata?: Metadata;
  /** A CAdES signature apart from its content. */
  readonly isDetached?: boolean;
  /** What is signed of XML, and where the signature is put. */
  readonly xades?: XadesOptions;
  /** The folder in which the look of its signature is. */
  readonly visualFolder?: string;
  /** The person brought it. */
  readonly isOwn?: boolean;
  readonly signedAtMs?: number;
  /** Until when the signed document can be fetched. */
  readonly availableUntilMs?: number;
};

/** The session of one signer, with its documents: one item, so that they never disagree. */
export type SignatureSession = {
  readonly id: string;
  readonly application: string;
  readonly state: StateOf<typeof signatureSessionStates>;
  /** Null where the page has a tab of its own, which it closes in the end. */
  readonly returnUrl: string | null;
  readonly securityContextId: string;
  readonly ignoreRevocationStatusUnknown: boolean;
  readonly tokenHash: string;
  readonly createdAtMs: number;
  /** When the token expires, and with it the wait for the person. */
  readonly expiresAtMs: number;
  readonly keptUntilMs: number;
  // Sessions that began before these options have none written.
  /** The CPF that must sign, as a person and not for a company. */
  readonly signerCpf?: Cpf | null;
  /** Whether the key must be in a device: a certificate of type A3 or A4. */
  readonly requiresDevice?: boolean;
  readonly callbackArgument?: string | null;
  /** The person does not wait for the signed files. */
  readonly inBackground?: boolean;
  /** The person gets no file to keep. */
  readonly disableDownloads?: boolean;
  /** The metadata of every document. */
  readonly documentMetadata?: Metadata;
  /** CAdES signatures are apart from their content, unless a document says otherwise. */
  readonly isDetached?: boolean;
  /** Whether its folder has the look of signatures of PDFs, unless a document has its own. */
  readonly hasVisual?: boolean;
  /** The person brings the documents: the application gave none. */
  readonly takesFiles?: boolean;
  readonly documents: readonly SessionDocument[];
  /** SHA-256 of the certificate of the first signature: the others need the same one. */
  readonly signerSha256: string | null;
  /** The same certificate as base64 of DER. */
  readonly signer?: string | null;
  /** Whether the application was told of its signed documents. */
  readonly isAnnounced?: boolean;
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

type Signer = Pick<SignatureInput, 'certificate' | 'signingTimeMs'>;

/** The input of both signing steps that follows from the document: it is signed once, by one person. */
export const documentInput = async (
  { original, visualFolder }: SessionDocument,
  signer: Signer,
): Promise<Pick<SignatureInput, 'file' | 'othersFollow' | 'visible'>> => ({
  file: {
    read: () => readFile('pki', original),
    stream: () => streamFile('pki', original.key),
    isSigned: false,
  },
  othersFollow: false,
  ...(visualFolder && { visible: visibleOf(await readVisual(visualFolder), signer) }),
});
