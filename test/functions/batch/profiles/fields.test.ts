import { describe, expect, test } from 'vitest';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { mergeFields } from '../../../../functions/batch/profiles/domain/merge-fields.ts';
import { AdminRefusal } from '../../../../shared/access/administration.ts';
import { writePem } from '../../../../shared/pki/pem.ts';
import { testPki } from '../../../certificates/pki.ts';

const SALT = Buffer.alloc(16, 1).toString('base64');
const SECRET = 'a-secret-that-no-message-repeats';
const PERSON = { name: 'Ana', email: 'ana@example.com', cpf: '529.982.247-25' };
const FOLDER = '44444444-4444-4444-8444-444444444444';

const RULE = { quorum: 1, approvers: [PERSON] };

const refusal = async (fields: object): Promise<string> => {
  try {
    await mergeFields(parseProfileFields({ name: 'p', ...fields }))(undefined);
  } catch (error) {
    expect(error).toBeInstanceOf(AdminRefusal);
    return (error as Error).message;
  }
  return 'accepted';
};

describe('a profile is refused, naming the field', () => {
  test.each([
    ['name', { name: 'Remessas' }],
    ['name', { name: '-remessas' }],
    ['name', { name: 'a'.repeat(41) }],
    ['name', { name: '../x' }],
    ['name', { name: undefined }],
    ['enabled', { enabled: 'yes' }],
    ['default', { default: null }],
    ['method', { method: 'local' }],
    ['format', { format: 'pdf' }],
    ['verify', { verify: 1 }],
    ['validateCertificate', { validateCertificate: 'true' }],
    ['preserveFileExtension', { preserveFileExtension: [] }],
    ['saveAsPem', { saveAsPem: 'x' }],
    ['saveAsPem', { saveAsPem: true, format: 'Pades' }],
    ['checkCnab240', { checkCnab240: 0 }],
    ['checkCnab240PaymentDates', { checkCnab240PaymentDates: null }],
    ['timestamp', { timestamp: {} }],
    ['encryption', { encryption: SECRET }],
    ['encryption.password', { encryption: { salt: SALT } }],
    ['encryption.password', { encryption: { password: '', salt: SALT } }],
    ['encryption.salt', { encryption: { password: SECRET } }],
    ['encryption.salt', { encryption: { password: SECRET, salt: 'c2hvcnQ=' } }],
    ['encryption.salt', { encryption: { password: SECRET, salt: 'no base64 but long enough' } }],
    ['encryption.certificate', { encryption: { certificate: SECRET } }],
    ['encryption.certificate', { encryption: { certificate: '', password: SECRET, salt: SALT } }],
    ['inputFolder', { inputFolder: 'a/b' }],
    ['inputFolder', { inputFolder: 'inbox', method: 'SignerFolder', signerFolder: { folderId: FOLDER } }],
    ['approval.quorum', { approval: { quorum: 2, approvers: [PERSON] } }],
    ['approval.approvers.0.cpf', { approval: { quorum: 1, approvers: [{ ...PERSON, cpf: '1' }] } }],
    ['approval.approvers.0.email', { approval: { quorum: 1, approvers: [{ ...PERSON, email: 'ana' }] } }],
    ['approval.expiresAfter', { approval: { quorum: 1, approvers: [PERSON], expiresAfter: 'soon' } }],
    ['approval.signerSet', { approval: { quorum: 1, approvers: [PERSON], signerSet: 'All' } }],
    ['approval.signerSet', { format: 'Pades', approval: { ...RULE, signerSet: 'Approvers' } }],
    ['approval.signerSet', { format: 'Xades', approval: { ...RULE, signerSet: 'ProfileAndApprovers' } }],
    [
      'approval.signerSet',
      {
        method: 'ExternalSigner',
        externalSigner: { signers: [PERSON] },
        approval: { ...RULE, signerSet: 'ProfileAndApprovers' },
      },
    ],
    ['approval', { method: 'SignerFolder', signerFolder: { folderId: FOLDER }, approval: RULE }],
    ['externalSigner', { method: 'ExternalSigner' }],
    ['externalSigner', { externalSigner: { signers: [PERSON] } }],
    [
      'externalSigner.signers.0.cpf',
      { method: 'ExternalSigner', externalSigner: { signers: [{ ...PERSON, cpf: '1' }] } },
    ],
    ['externalSigner.signers', { method: 'ExternalSigner', externalSigner: { signers: [PERSON, PERSON] } }],
    ['signerFolder', { method: 'SignerFolder' }],
    ['signerFolder', { signerFolder: { folderId: FOLDER } }],
    ['signerFolder.folderId', { method: 'SignerFolder', signerFolder: { folderId: 'x' } }],
    ['sealedKey', { sealedKey: 'x' }],
    ['encryption.sealed', { encryption: { sealed: 'x', password: SECRET, salt: SALT } }],
  ])('%s of %j', async (field, fields) => {
    const message = await refusal(fields);
    expect(message.split('; ').map((problem) => problem.split(':')[0])).toContain(field);
    expect(message).not.toContain(SECRET);
  });

  test('for every field that does not hold, in one refusal', async () => {
    expect(await refusal({ verify: 1, format: 'pdf' })).toBe(
      'format: must be Pades, Cades, Xades; verify: must be true or false',
    );
  });

  test('for a certificate whose key is not for encryption', async () => {
    const { certificate } = testPki().ocspResponder();
    expect(await refusal({ encryption: { certificate: writePem('CERTIFICATE', certificate.der) } })).toMatch(
      /^encryption\.certificate: .*not for encryption/,
    );
  });
});

describe('a profile', () => {
  test('has a default for every field but its name', async () => {
    expect(await mergeFields(parseProfileFields({ name: 'p' }))(undefined)).toEqual({
      name: 'p',
      enabled: true,
      method: 'Local',
      verify: true,
      validateCertificate: true,
      preserveFileExtension: false,
      saveAsPem: false,
      checkCnab240: false,
      checkCnab240PaymentDates: true,
      checkCnab240LotSums: false,
      timestamp: false,
    });
  });

  test('keeps the fields that an edit leaves out, and loses those that it sets to null', async () => {
    const put = (fields: object) => mergeFields(parseProfileFields({ name: 'p', ...fields }));
    const first = await put({ format: 'Cades', inputFolder: 'inbox', saveAsPem: true })(undefined);
    const second = await put({ inputFolder: null, verify: false })(first);
    expect(second).toEqual({ ...first, verify: false, inputFolder: undefined });
    expect(second).not.toHaveProperty('inputFolder');
  });

  test('takes a recipient in PEM or base64, and an approval window in seconds or hh:mm:ss', async () => {
    const { certificate } = testPki().holder();
    const put = (fields: object) => mergeFields(parseProfileFields({ name: 'p', ...fields }))(undefined);
    const der = Uint8Array.from(certificate.der);
    for (const text of [writePem('CERTIFICATE', certificate.der), certificate.der.toString('base64')])
      expect((await put({ encryption: { certificate: text } })).encryption).toEqual({ certificate: der });
    for (const expiresAfter of [172_800, '172800', '2.00:00:00'])
      expect((await put({ approval: { quorum: 1, approvers: [PERSON], expiresAfter } })).approval).toEqual({
        quorum: 1,
        approvers: [{ ...PERSON, cpf: '52998224725' }],
        expiresAfterSeconds: 172_800,
        signerSet: 'Profile',
      });
  });
});
