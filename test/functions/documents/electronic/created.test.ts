import { expect, onTestFinished, test, vi } from 'vitest';
import { concludeDocument } from '../../../../functions/documents/domain/ending/conclude-document.ts';
import { organizations } from '../../../../functions/documents/domain/places/organization.ts';
import { handler as putSeal } from '../../../../functions/documents/endpoints/organizations/update-seal.ts';
import { handler as signFor } from '../../../../functions/documents/endpoints/signing/sign-electronically.ts';
import { handler as getSignatures } from '../../../../functions/documents/endpoints/verification/get-signatures-details.ts';
import { authorities, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { holderPkcs12 } from '../../../../functions/sandbox/authority/domain/holder-file.ts';
import { HOLDERS } from '../../../../functions/sandbox/authority/domain/holders.ts';
import { seedProviders } from '../../../../infra/local/seed/providers.ts';
import { admin } from '../../../cli/admin/in-process.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { throughQpdf } from '../../../shared/signing/pades/documents.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { anotherKey } from '../../hub/another-key.ts';
import { aSession } from '../../hub/calls.ts';
import { serveHub } from '../../hub/hub-server.ts';
import { serveProviders } from '../../hub/providers-server.ts';
import { ownStores } from '../../own-stores.ts';
import { current, signedBytes } from '../endpoints/signing/pending-document.ts';
import { ownOrganization } from '../own-organization.ts';
import { COMPANY, electronic, electronicStage } from './stage.ts';

// The sandbox has one authority, whose certificates the providers keep.
await forFile(ownStores());
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

/** The real hub with the sandbox's providers behind it, for one test. Answers the key of this platform at the hub. */
async function cloudStage(): Promise<{
  readonly hub: Awaited<ReturnType<typeof serveHub>>;
  readonly key: string;
}> {
  const [providers, hub] = await Promise.all([serveProviders(), serveHub()]);
  onTestFinished(async () => {
    vi.stubEnv('Http__PublicUrl', undefined);
    vi.stubEnv('Hub__ApiKey', undefined);
    providers.stop();
    await hub.stop();
  });
  vi.stubEnv('Http__PublicUrl', providers.url);
  await authorities.put(stage.sandbox.authority);
  await seedProviders();
  vi.stubEnv('Hub__BaseAddress', hub.address);
  const key = await anotherKey('documents');
  vi.stubEnv('Hub__ApiKey', key);
  return { hub, key };
}

test('a certificate in the cloud seals, by a session that its holder has authorized', async () => {
  const { hub, key: hubKey } = await cloudStage();
  const { orgId, key } = await ownOrganization();
  const headers = { 'X-API-Key': key };
  const put = async (session: string) => {
    const json = { session, lifetimeInSeconds: 3600 };
    return (await call(putSeal, { method: 'PUT', params: { orgId }, headers, json })).json();
  };
  expect(await put('x'.repeat(43))).toMatchObject({ code: 'SealNotUsable' });
  const session = await aSession(
    { identifier: COMPANY, lifetimeInSeconds: 3600 },
    { at: 'beta', key: hubKey },
  );
  expect(await put(session)).toMatchObject({ subject: expect.stringContaining(COMPANY) });
  expect(JSON.stringify(await organizations.get(orgId))).not.toContain(session);

  const id = await stage.document([electronic()], { orgId, key });
  const flowActionId = (await current({ id })).flow[0]?.id;
  const signed = await call(signFor, { params: { id }, headers, json: { flowActionId } });
  expect([signed.status, signed.text]).toEqual([200, '']);
  // While the provider does not sign, the flow is concluded and its file is not sealed: the task is tried again.
  hub.interfere = (name) => (name === 'sign-hash' ? { status: 503, body: '{}' } : undefined);
  await expect(concludeDocument(id, Date.now())).rejects.toThrow();
  expect(await current({ id })).toMatchObject({ state: 'FlowConcluded', signed: null });
  hub.interfere = () => undefined;
  await concludeDocument(id, Date.now());
  expect((await current({ id })).state).toBe('Concluded');
  const details = await call(getSignatures, { params: { id }, headers });
  expect(details.json()).toMatchObject({
    signers: [
      { isElectronic: true, outcome: 'valid' },
      { isElectronic: false, outcome: 'valid', companyIdentifier: COMPANY },
    ],
  });
  if (missingTools().length > 0) return;
  const judges = openJudges(signerOf(stage.sandbox.authority, 'root').certificate, '-no-ocsp');
  onTestFinished(() => judges.close());
  expect(judges.judge(await signedBytes({ id }))).toEqual({
    signatures: ['Signature is Valid.'],
    certificates: ['Certificate is Trusted.'],
    coverage: ['Total document signed'],
    complaints: '',
  });
});
