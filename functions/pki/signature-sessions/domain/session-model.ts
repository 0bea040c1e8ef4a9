import type { Caller } from '../../../../shared/access/caller.ts';
import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { certificateModel } from '../../../../shared/pki/model/certificate-model.ts';
import { maskCpf } from '../../../../shared/taxpayer/cpf.ts';
import { formatKey } from '../../documents/domain/document-keys.ts';
import { SIGNATURE_TYPES } from '../../documents/domain/document-model.ts';
import { registeredAddresses } from '../../domain/registered-addresses.ts';
import { fileModel, linkTo } from '../../files/domain/file-model.ts';
import { isPerson } from './find-session.ts';
import { signedNameOf, signedTypeOf } from './make-files.ts';
import type { SessionDocument, SignatureSession } from './session.ts';

/** The session in the form of the contract, for its application or its signer. */
export async function sessionModel(caller: Caller, session: SignatureSession) {
  const { id, application, returnUrl, signerCpf = null, signer = null, failure } = session;
  return {
    id,
    sessionId: id,
    application,
    status: session.state,
    returnUrl: (await registeredAddresses(application, { returnUrl, trustedOrigin: null })).returnUrl,
    securityContextId: session.securityContextId,
    createdAt: new Date(session.createdAtMs).toISOString(),
    expiresAt: new Date(session.expiresAtMs).toISOString(),
    failure,
    processingErrorCode: failure,
    // The application's own, as the metadata of its documents is.
    callbackArgument: isPerson(caller) ? null : (session.callbackArgument ?? null),
    // Whoever finds the link learns no CPF.
    certificateRequirements: [
      ...(signerCpf === null
        ? []
        : [{ type: 'Cpf', argument: isPerson(caller) ? maskCpf(signerCpf) : signerCpf } as const]),
      ...(session.requiresDevice ? [{ type: 'CryptoDevice', argument: null } as const] : []),
    ],
    enableBackgroundProcessing: session.inBackground ?? false,
    disableDownloads: session.disableDownloads ?? false,
    takesFiles: session.takesFiles ?? false,
    signerCertificate: signer ? certificateModel(parseCertificate(Buffer.from(signer, 'base64'))) : null,
    documents: await Promise.all(
      session.documents.map((document) => documentModel(caller, session, document)),
    ),
  };
}

/** A document of the session, with links to its files. */
export async function documentModel(caller: Caller, session: SignatureSession, document: SessionDocument) {
  const { id, name, contentType, format, original, signed, documentKey, signedAtMs } = document;
  const { availableUntilMs } = document;
  const isLinked = !(isPerson(caller) && session.disableDownloads);
  const file = async (place: SessionDocument['original'], as: { name: string; contentType: string }) =>
    fileModel({ ...as, size: place.size, url: isLinked ? await linkTo(place.key, as.name) : null });
  return {
    id,
    documentId: id,
    key: documentKey?.key ?? null,
    formattedKey: documentKey ? formatKey(documentKey.key) : null,
    name,
    contentType,
    size: original.size,
    signatureFormat: format,
    signatureType: SIGNATURE_TYPES[format],
    status: statusOf(session, document),
    state: document.state,
    dateSigned: signedAtMs === undefined ? null : new Date(signedAtMs).toISOString(),
    originalFile: await file(original, { name, contentType }),
    markedFile: null,
    signedFile:
      signed && (await file(signed, { name: signedNameOf(document), contentType: signedTypeOf(document) })),
    availableUntil: availableUntilMs === undefined ? null : new Date(availableUntilMs).toISOString(),
    metadata: isPerson(caller) ? {} : { ...session.documentMetadata, ...document.metadata },
  };
}

// The names that clients know. A signature that was given waits for the others, and then for its file.
type DocumentStatus = (typeof STATUSES)[SessionDocument['state']] | 'ProcessingError';
const STATUSES = { Pending: 'PendingSignature', Signed: 'Processing', Completed: 'Completed' } as const;

const statusOf = (session: SignatureSession, { state }: SessionDocument): DocumentStatus =>
  session.state === 'ProcessingError' ? 'ProcessingError' : STATUSES[state];
