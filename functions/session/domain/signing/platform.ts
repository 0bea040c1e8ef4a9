import { type Deadline, deadlineIn } from '../../../../shared/async/deadline.ts';
import { platformClient } from '../../../../shared/platform/client.ts';
import { createOnce, findCreated } from '../../../../shared/platform/create-once.ts';
import { PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { platformAccessOf } from '../../../../shared/platform/settings.ts';
import { isSha256, type ToSign } from '../../../../shared/platform/signatures.ts';
import type { StartedDocument } from '../../../../shared/platform/started-documents.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { settings } from '../../settings.ts';

/** The signature service of the settings. */
export const platform = platformClient(platformAccessOf(settings));

/** The signer of a document, as the platform knows people. */
export type Signer = { readonly name: string; readonly cpf: string; readonly email: string };

type Dispatched = { readonly id: string; readonly cpf: string; readonly begunAtMs: number };

/** The document of a dispatch is found by its tag. The list of the platform is narrowed by its signer. */
const searchOf = ({ id, cpf, begunAtMs }: Dispatched) => ({
  tag: { label: 'session-dispatch', value: id },
  text: cpf,
  begunAtMs,
});

const creationOf = (signer: Signer, dispatch: Dispatched) => ({
  document: {
    contentType: 'application/pdf',
    signers: [{ ...signer, step: 1 }],
    folderId: settings['Signer:FolderId'],
    disableNotifications: true,
  },
  search: searchOf(dispatch),
  searchesLast: true,
});

/** Creates the document of a dispatch from its upload, with one signer. Returns its id, also where the answer is lost. */
export const createDocument = (
  uploaded: Upload,
  signer: Signer,
  dispatch: Dispatched,
  deadline: Deadline,
): Promise<string> =>
  createOnce(platform, { ...creationOf(signer, dispatch), upload: async () => uploaded }, deadline);

type FileToSign = {
  readonly file: { readonly bytes: Uint8Array; readonly fileName: string };
  readonly certificateDer: Uint8Array;
  /** For a platform that takes no document with its file. */
  readonly upload: () => Promise<Upload>;
};

/** The same from the file itself, with the hash to sign where the platform starts the signature in the same call. */
export async function createFromFile(
  { upload, ...file }: FileToSign,
  signer: Signer,
  dispatch: Dispatched,
  deadline: Deadline,
): Promise<{ readonly documentId: string; readonly toSign: ToSign | undefined }> {
  const { document, search, ...creation } = creationOf(signer, dispatch);
  let started: StartedDocument | undefined;
  const createDirectly = async () => {
    started = await platform.createStarted({ ...document, ...file, tag: search.tag }, deadline);
    return started?.documentId;
  };
  const documentId = await createOnce(
    platform,
    { ...creation, document, search, upload, createDirectly },
    deadline,
  );
  return { documentId, toSign: started?.toSign };
}

/** Documents of a dispatch in any state: none, or the one whose id was lost. */
export const findDispatched = (dispatch: Dispatched, deadline: Deadline): Promise<readonly string[]> =>
  findCreated(platform, searchOf(dispatch), deadline);

/** Announces the certificate. Returns the hash to sign, or nothing where the platform does not accept the certificate. */
export async function startSignature(
  documentId: string,
  certificateDer: Uint8Array,
  deadline: Deadline,
): Promise<ToSign | undefined> {
  const toSign = await platform.startSignature({ documentId }, certificateDer, deadline);
  return toSign.isAccepted ? requireSha256(toSign) : undefined;
}

/** Sessions sign a SHA-256 hash. */
export function requireSha256(toSign: ToSign): ToSign {
  if (isSha256(toSign)) return toSign;
  throw new PlatformUnreachable(
    `The signature service asks for a digest we do not sign: ${toSign.digestAlgorithm}.`,
  );
}

/** Has a budget of its own: it runs when the time of the call is over. */
export const cancelDocument = (documentId: string, reason: string, now: () => number): Promise<void> =>
  platform.cancelDocument(documentId, reason, deadlineIn(settings['Signing:SignerCancelBudget'] * 1000, now));
