import { expect, test, vi } from 'vitest';
import { organizations } from '../../../../functions/documents/domain/places/organization.ts';
import { handler as putSeal } from '../../../../functions/documents/endpoints/organizations/update-seal.ts';
import { holderPkcs12 } from '../../../../functions/sandbox/authority/domain/holder-file.ts';
import { HOLDERS } from '../../../../functions/sandbox/authority/domain/holders.ts';
import { admin } from '../../../cli/admin/in-process.ts';
import { forFile } from '../../../for-file.ts';
import { call } from '../../../http-event.ts';
import { throughQpdf } from '../../../shared/signing/pades/documents.ts';
import { ownOrganization } from '../own-organization.ts';
import { COMPANY, electronic, electronicStage } from './stage.ts';

const stage = await forFile(electronicStage());
const SMS = { requireSmsAuthenticationToSignElectronically: true };

type Refused = { readonly code: string; readonly details: Readonly<Record<string, string>> };

test.each<[string, object, string, string]>([
  ['WhatsApp', { requireWhatsappAuthenticationToSignElectronically: true }, 'OptionNotSupported', 'option'],
  ['Pix', { requirePixAuthenticationToSignElectronically: true }, 'OptionNotSupported', 'option'],
  ['a selfie', { requireSelfieAuthenticationToSignElectronically: true }, 'OptionNotSupported', 'option'],
  ['Datavalid', { requireDatavalidAuthenticationToSignElectronically: true }, 'OptionNotSupported', 'option'],
  ['an ID scan', { requireIdScanAuthenticationToSignElectronically: true }, 'OptionNotSupported', 'option'],
  [
    'no mail and no SMS',
    { disableEmailAuthenticationToSignElectronically: true },
    'OptionNotSupported',
    'reason',
  ],
  ['SMS without it', { ...SMS, allowElectronicSignature: false }, 'OptionNotSupported', 'reason'],
  ['an e-CNPJ too', { requiredCompanyIdentifier: COMPANY }, 'OptionNotSupported', 'reason'],
  ['SMS to nobody', { ...SMS, user: { name: 'Ana', phone: null } }, 'PhoneRequired', 'name'],
])('an action with %s is refused by name', async (_, more, code, named) => {
  const answer = await stage.post([electronic(more)]);
  const { details, ...refused } = answer.json() as Refused;
  expect([refused.code, Object.keys(details)]).toEqual([code, expect.arrayContaining([named])]);
  if (named === 'option') expect(Object.keys(more)).toContain(details.option);
});

test('an approval is not signed electronically', async () => {
  const answer = await stage.post([electronic({ type: 'Approver' })]);
  expect(answer.json()).toMatchObject({ details: { option: 'allowElectronicSignature' } });
});

test('codes by SMS are asked for only where a provider is named', async () => {
  vi.stubEnv('Sms__Url', '');
  const answer = await stage.post([electronic(SMS)]);
  expect(answer.json()).toMatchObject({ code: 'FactorNotOffered', details: { factor: 'SMS' } });
});

test.each([
  ['no PDF', { bytes: Buffer.from('no PDF') }, /Only a PDF/],
  ['a PDF that is signed beside it', { forceCadesSignature: true }, /forceCadesSignature/],
  ['an encrypted PDF', { isEncrypted: true }, /encrypted/],
])(
  '%s is refused, before anybody signs it',
  async (_, { isEncrypted, ...more }: Record<string, unknown>, reason) => {
    const encryption = ['--encrypt', 'a', 'b', '256', '--'];
    const bytes = isEncrypted ? { bytes: throughQpdf(stage.pdf, ...encryption) } : {};
    const answer = await stage.post([electronic()], { ...more, ...bytes });
    const { code, details } = answer.json() as Refused;
    expect([code, details.reason]).toEqual(['ElectronicSignatureImpossible', expect.stringMatching(reason)]);
  },
);

test('a flow with an electronic action is refused without a seal, and with one that has ended', async () => {
  const own = await ownOrganization();
  const post = () => stage.post([electronic()], own);
  expect((await post()).json()).toMatchObject({
    code: 'SealRequired',
    details: { reason: 'It has no seal.' },
  });
  const organization = await organizations.get(stage.orgId);
  const stored = await organizations.get(own.orgId);
  if (!organization?.seal || !stored) throw new Error('There is no seal.');
  vi.stubEnv('Access__CacheSeconds', '0');
  await organizations.change(stored, { seal: { ...organization.seal, notAfterMs: Date.now() - 1 } });
  expect((await post()).json()).toMatchObject({
    code: 'SealRequired',
    details: { reason: expect.stringMatching(/^Its seal ended at/) },
  });
});

const fileOf = async (name: string): Promise<Buffer> => {
  const holder = HOLDERS.find((each) => each.name === name);
  if (!holder) throw new Error(`There is no ${name}.`);
  return holderPkcs12(stage.sandbox.authority, holder, '1234');
};

test('a seal is set by its file, and one that could not seal is refused', async () => {
  const { orgId, key } = await ownOrganization();
  const put = async (name: string, password = '1234', params = { orgId }) => {
    const json = { pkcs12: (await fileOf(name)).toString('base64'), password };
    return (await call(putSeal, { method: 'PUT', params, headers: { 'X-API-Key': key }, json })).json();
  };
  expect(await put(COMPANY, 'wrong')).toMatchObject({ code: 'SealNotUsable' });
  expect(await put('12345678909')).toMatchObject({
    details: { reason: 'The certificate is not valid now.' },
  });
  expect(await put(COMPANY, '1234', { orgId: stage.orgId })).toMatchObject({ code: 'OrganizationNotFound' });
  expect(await put(COMPANY)).toMatchObject({ subject: expect.stringContaining(COMPANY) });
  const stored = JSON.stringify(await organizations.get(orgId));
  expect(stored).toContain('"sealedKey":"s1.');
  expect(stored).not.toContain('1234"');

  const other = await ownOrganization({ identifier: '12ABC34501DE35' });
  const file = stage.sandbox.pki('holders', `${COMPANY}.p12`);
  vi.stubEnv('SEAL_PIN', '1234');
  const seal = (id: string) => admin('organizations', 'seal', id, file, '--pin-env', 'SEAL_PIN');
  expect(await seal(other.orgId)).toMatchObject({
    code: 1,
    error: expect.stringContaining(`is of the company ${COMPANY}, and the organization is 12ABC34501DE35`),
  });
  const personal = await ownOrganization({ identifier: null });
  expect(await seal(personal.orgId)).toMatchObject({
    code: 0,
    out: expect.stringContaining('are sealed with'),
  });
});
