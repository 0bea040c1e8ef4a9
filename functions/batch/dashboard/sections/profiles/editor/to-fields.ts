import type { Profile } from '../../../../profiles/domain/profile.ts';
import { openPassword } from '../../../../profiles/domain/secrets.ts';
import { type EditorValues, FLAGS, type PersonTexts } from './values.ts';

/**
 * The fields of a profile from the texts of the editor, for `parseProfileFields`, which judges them. What the form does
 * not show stays: an empty secret is the one that is stored.
 */
export async function toFields(
  name: string,
  values: EditorValues,
  stored: Profile | undefined,
): Promise<object> {
  const { texts } = values;
  const { method } = texts;
  return {
    name,
    method,
    format: texts.format || null,
    inputFolder: texts.inputFolder || null,
    ...Object.fromEntries(FLAGS.map((flag) => [flag, texts[flag] === 'true'])),
    encryption: await encryptionOf(name, values, stored),
    approval: texts.approval === 'true' ? approvalOf(values) : null,
    externalSigner: method === 'ExternalSigner' ? externalSignerOf(values) : null,
    signerFolder: method === 'SignerFolder' ? { folderId: texts['signerFolder.folderId'] } : null,
    cloudCertificate: cloudCertificateOf(values),
  };
}

/** A number, or the text that is none, which the domain refuses. */
const numberOf = (text = ''): number | string | undefined =>
  text === '' ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : text;

const given = (text: string | undefined): string | undefined => text || undefined;

const person = ({ name, email, cpf }: PersonTexts) => ({ name, email, cpf });

const approvalOf = ({ texts, approvers }: EditorValues) => ({
  quorum: numberOf(texts['approval.quorum']),
  approvers: approvers.map(person),
  expiresAfter: given(texts['approval.expiresAfter']),
  signerSet: given(texts['approval.signerSet']),
});

const externalSignerOf = ({ texts, signers }: EditorValues) => ({
  signers: signers.map((row) => ({ ...person(row), step: numberOf(row.step) })),
  folderId: given(texts['externalSigner.folderId']),
  expiresAfterDays: numberOf(texts['externalSigner.expiresAfterDays']),
});

function cloudCertificateOf({ texts }: EditorValues): object | null {
  const identifier = texts['cloudCertificate.identifier'] ?? '';
  const provider = given(texts['cloudCertificate.provider']);
  const certificateAlias = given(texts['cloudCertificate.certificateAlias']);
  return identifier === '' && !provider && !certificateAlias
    ? null
    : { identifier, provider, certificateAlias };
}

/** Undefined leaves the encryption as it is. */
async function encryptionOf(
  name: string,
  { texts }: EditorValues,
  stored: Profile | undefined,
): Promise<object | null | undefined> {
  const known = stored?.encryption;
  if (texts['encryption.mode'] === 'certificate') {
    const certificate = texts['encryption.certificate'] ?? '';
    return certificate === '' && known && 'certificate' in known ? undefined : { certificate };
  }
  if (texts['encryption.mode'] !== 'password') return null;
  const [password, salt] = [given(texts['encryption.password']), given(texts['encryption.salt'])];
  if (!known || !('sealed' in known)) return { password, salt: salt?.trim() };
  if (!password && !salt) return undefined;
  const opened = await openPassword(name, known.sealed);
  const before = 'plain' in opened ? opened.plain : undefined;
  return { password: password ?? before?.password, salt: salt?.trim() ?? before?.salt };
}
