import { type Deadline, deadlineIn } from '../../../../shared/async/deadline.ts';
import { platformClient } from '../../../../shared/platform/client.ts';
import { PlatformUnreachable } from '../../../../shared/platform/errors.ts';
import { platformAccessOf } from '../../../../shared/platform/settings.ts';
import { isSha256, type ToSign } from '../../../../shared/platform/signatures.ts';
import type { Upload } from '../../../../shared/platform/uploads.ts';
import { settings } from '../../settings.ts';

/** The signature service of the settings. */
export const platform = platformClient(platformAccessOf(settings));

/** The signer of a document, as the platform knows people. */
export type Signer = { readonly name: string; readonly cpf: string; readonly email: string };

/** The label of the tag that names a document's dispatch. */
const DISPATCH_TAG = 'session-dispatch';

type Dispatched = { readonly id: string; readonly cpf: string };

const tagOf = ({ id }: Pick<Dispatched, 'id'>) => ({ label: DISPATCH_TAG, value: id });

type CreateRequest = {
  readonly upload: Upload;
  readonly signer: Signer;
  readonly dispatch: Pick<Dispatched, 'id'>;
};

/** Creates a document with one signer. Returns its id. */
export const createDocument = (
  { upload, signer, dispatch }: CreateRequest,
  deadline: Deadline,
): Promise<string> =>
  platform.createDocument(
    {
      upload,
      contentType: 'application/pdf',
      signers: [{ ...signer, step: 1 }],
      folderId: settings['Signer:FolderId'],
      tag: tagOf(dispatch),
      disableNotifications: true,
    },
    deadline,
  );

/** The pending documents with this dispatch's tag: none, or the one whose id was lost. */
export const findDispatched = (dispatch: Dispatched, deadline: Deadline): Promise<readonly string[]> =>
  platform.findByTag({ tag: tagOf(dispatch), text: dispatch.cpf }, deadline);

/** Documents with this dispatch's tag in any state, among the newest. */
export const findEnded = (
  { begunAtMs, ...dispatch }: Dispatched & { readonly begunAtMs: number },
  deadline: Deadline,
): Promise<readonly string[]> =>
  platform.findEnded({ tag: tagOf(dispatch), text: dispatch.cpf, begunAtMs }, deadline);

/** Announces the certificate. Returns the hash to sign, or nothing where the platform does not accept the certificate. */
export async function startSignature(
  documentId: string,
  certificateDer: Uint8Array,
  deadline: Deadline,
): Promise<ToSign | undefined> {
  const toSign = await platform.startSignature({ documentId }, certificateDer, deadline);
  if (!toSign.isAccepted) return undefined;
  if (isSha256(toSign)) return toSign;
  throw new PlatformUnreachable(
    `The signature service asks for a digest we do not sign: ${toSign.digestAlgorithm}.`,
  );
}

/** Has a budget of its own: it runs when the time of the call is over. */
export const cancelDocument = (documentId: string, reason: string, now: () => number): Promise<void> =>
  platform.cancelDocument(documentId, reason, deadlineIn(settings['Signing:SignerCancelBudget'] * 1000, now));
