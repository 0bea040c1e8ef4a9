import { randomUUID } from 'node:crypto';
import { files } from '../../../../shared/files/files.ts';
import { count } from '../../../../shared/metrics/count.ts';
import { FORMATS } from '../../../../shared/metrics/table.ts';
import { completeSignature, isSignatureOf, signerOf } from '../../../../shared/signing/two-step/two-step.ts';
import { visibleOf } from '../../../../shared/signing/visual/representation.ts';
import type { DocumentFile } from '../../documents/domain/document.ts';
import { stamp } from '../../domain/timestamps.ts';
import { errors } from '../../errors.ts';
import { readVisual } from '../../pdf/domain/visual.ts';
import { type OpenSignature, type SigningContent, signableFile, signatureFolder } from './started.ts';

/** Refuses a signature that the key of the certificate did not make, before anything is spent. */
export async function refuseWrongValue({ record }: SigningContent, signature: Buffer): Promise<void> {
  if (!(await isSignatureOf(record, signature))) throw errors.refuse('InvalidSignature');
}

/** Makes the signed file of a signature value that was checked. */
export async function makeSigned(
  { started, content }: OpenSignature,
  signature: Buffer,
): Promise<DocumentFile> {
  const { signingTimeMs } = content.record;
  const visual = content.hasVisual ? await readVisual(signatureFolder(started.id)) : undefined;
  const rest = {
    ...{ file: signableFile(content), othersFollow: false },
    visible: visual && visibleOf(visual, { certificate: signerOf(content.record), signingTimeMs }),
  };
  const made = await completeSignature(
    content.record,
    rest,
    signature,
    content.record.isTimestamped ? stamp : undefined,
  );
  const key = `${signatureFolder(started.id)}signed-${randomUUID()}`;
  const described = describeSigned(content);
  const { length: size } = await files('pki').put(key, made, { contentType: described.contentType });
  return { ...described, key, size };
}

/** Counts a signature whose key is with the caller, once it is recorded. */
export const countSignature = ({ record }: SigningContent): void =>
  count('Signatures', { Service: 'pki', Format: FORMATS[record.format], Custody: 'caller' });

/** The size that the signed file exceeds: that of the file, unless the signature is apart from it. */
export const minSignedBytes = ({ record, file, isCoSigned }: SigningContent): number =>
  record.options?.cades?.detached && !isCoSigned ? 0 : (file?.size ?? 0);

const CMS_TYPE = 'application/pkcs7-signature';

function describeSigned({ record, file, isCoSigned }: SigningContent): Omit<DocumentFile, 'key' | 'size'> {
  const name = file?.name ?? null;
  if (record.format === 'PAdES') return { name, contentType: 'application/pdf' };
  if (record.format === 'XAdES') return { name, contentType: file?.contentType || 'application/xml' };
  const isDetached = record.options?.cades?.detached || !file;
  const ending = isDetached ? 'p7s' : 'p7m';
  return { name: name === null || isCoSigned ? name : `${name}.${ending}`, contentType: CMS_TYPE };
}
