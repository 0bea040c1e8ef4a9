import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { certificateModel } from '../../../../shared/pki/model/certificate-model.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import { fileModel, linkTo } from '../../files/domain/file-model.ts';
import type { DocumentFile, SignedDocument } from './document.ts';
import { formatKey } from './document-keys.ts';

export const SIGNATURE_TYPES = { PAdES: 'Pdf', CAdES: 'Cms', XAdES: 'Xml' } as const satisfies Readonly<
  Record<SignatureFormat, string>
>;

/** The document in the form of the contract, with links to its files. */
export async function documentModel(document: SignedDocument) {
  const { id, documentKey: key, format, original, signed, signer, signedAtMs } = document;
  const date = new Date(signedAtMs).toISOString();
  return {
    id,
    key,
    formattedKey: formatKey(key),
    signatureType: SIGNATURE_TYPES[format],
    originalFile: original && (await storedFileModel(original, id)),
    markedFile: null,
    signedFile: await storedFileModel(signed, id),
    availableUntil: new Date(document.availableUntilMs).toISOString(),
    signers: [{ certificate: summaryOf(signer), date }],
    metadata: document.metadata,
  };
}

const storedFileModel = async (file: DocumentFile, id: string) =>
  fileModel({ ...file, url: await linkTo(file.key, file.name ?? id) });

/** The fields of a certificate that a list shows. */
function summaryOf(der: string) {
  const model = certificateModel(parseCertificate(Buffer.from(der, 'base64')));
  const { thumbprint, thumbprintSHA256, subjectCommonName, subjectDisplayName, subjectIdentifier } = model;
  const { emailAddress, organization, organizationIdentifier } = model;
  return {
    thumbprint,
    thumbprintSHA256,
    subjectCommonName,
    subjectDisplayName,
    subjectIdentifier,
    emailAddress,
    organization,
    organizationIdentifier,
  };
}
