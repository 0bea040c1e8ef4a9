import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { SigningKey } from '../../../../../shared/signing/key.ts';
import { testPki } from '../../../../certificates/pki.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { plainPdf } from '../../../../shared/signing/pades/documents.ts';
import { asApplication, certificateOf, sign, signatureBy, started } from './calls.ts';
import { current, pendingDocument, signer } from './pending-document.ts';
import { signingStage } from './stage.ts';

const [OWN, OTHER] = ['52998224725', '47363361886'] as const;
const COMPANY = '11222333000181'; // whose responsible person has the CPF OWN

const stage = await forFile(signingStage());
const pdf = await plainPdf('table');

const waiting = (...flow: unknown[]) => pendingDocument({ organizationId: stage.orgId, bytes: pdf, flow });
const start = async (document: { readonly id: string }, key: SigningKey, more: object = {}) => {
  const answer = await asApplication(stage.key)('start', document, {
    certificate: certificateOf(key),
    ...more,
  });
  return { status: answer.status, ...(answer.json() as object) };
};

describe('a certificate is judged before it signs', () => {
  test.each([
    ['12345678909', 'expired', 'CertificateExpired'],
    ['56072386105', 'revoked', 'CertificateRevoked'],
    ['87378011126', 'of an authority that is not trusted', 'CertificateIssuerInvalid'],
    ['15350946056', 'whose status nobody tells', 'CertificateRevocationStatusUnknown'],
  ])('%s, which is %s, gets no token and is told why', async (cpf, _, type) => {
    const document = await waiting(signer(cpf));
    expect(await start(document, stage.holder(cpf))).toMatchObject({
      status: 200,
      success: false,
      token: null,
      toSignHash: null,
      toSignData: null,
      digestAlgorithm: 'SHA256',
      validationResults: { isValid: false, errors: [expect.objectContaining({ type })] },
    });
    expect(await current(document)).toMatchObject({ state: 'Pending', signed: null });
  });

  test('one that is trusted no more when it completes signs nothing, and the document waits as before', async () => {
    const key = stage.holder(OWN);
    const document = await waiting(signer(OWN));
    const first = await started(stage.key, document, key);
    vi.stubEnv('Certificates__TrustAnchors', testRoot());
    const signature = await signatureBy(key, first);
    const answer = await asApplication(stage.key)('complete', document, { token: first.token, signature });
    vi.stubEnv('Certificates__TrustAnchors', stage.rootFile);
    expect(answer.json()).toMatchObject({ success: false, validationResults: { isValid: false } });
    expect(await current(document)).toMatchObject({ state: 'Pending', signed: null });
  });

  test('a key of a kind that does not sign here is told among the results', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
    const certificate = stage.certified(privateKey, OWN).der.toString('base64');
    const answer = await asApplication(stage.key)('start', await waiting(signer(OWN)), { certificate });
    expect(answer.json()).toMatchObject({
      success: false,
      token: null,
      validationResults: { isValid: false, errors: [{ type: 'AlgorithmNotAllowed' }] },
    });
  });

  test('what cannot be read is no certificate', async () => {
    const document = await waiting(signer(OWN));
    const ask = (certificate: string) => asApplication(stage.key)('start', document, { certificate });
    for (const wrong of ['bm90aGluZw==', '%%%', '-----BEGIN NOTHING-----'])
      expect((await ask(wrong)).json()).toMatchObject({ code: 'CertificateNotFound' });
  });

  test('where no root is trusted, signing says what an operator has to set', async () => {
    const document = await waiting(signer(OWN));
    for (const setting of [undefined, '', '/nowhere/root.crt']) {
      vi.stubEnv('Certificates__TrustAnchors', setting);
      expect(await start(document, stage.holder(OWN))).toMatchObject({
        status: 503,
        code: 'SigningUnavailable',
        message: expect.stringContaining('Certificates:TrustAnchors'),
      });
    }
    vi.stubEnv('Certificates__TrustAnchors', stage.rootFile);
  });
});

describe('whose signature it is', () => {
  test('the certificate says: the first signature that waits for its CPF', async () => {
    const document = await waiting(signer(OTHER), signer(OWN, { title: 'first' }), signer(OWN));
    await sign(stage.key, document, stage.holder(OWN));
    const { flow } = await current(document);
    expect(flow.map(({ state }) => state)).toEqual(['Pending', 'Completed', 'Pending']);
    expect(flow[1]?.completions).toEqual([
      expect.objectContaining({
        by: expect.objectContaining({ identifier: OWN }),
        certificate: expect.objectContaining({ sha256: stage.holder(OWN).certificate.sha256 }),
      }),
    ]);
  });

  test('an action that asks for a type of certificate takes no other', async () => {
    const document = await waiting(signer(OWN, { requiredCertificateTypeToSign: 'A3' }));
    expect(await start(document, stage.holder(OWN))).toMatchObject({
      status: 422,
      code: 'CertificateTypeMismatch',
      details: { requiredCertificateType: 'A3', certificateType: 'A1' },
    });
    const easier = await waiting(signer(OWN, { requiredCertificateTypeToSign: 'A1' }));
    expect(await start(easier, stage.holder(OWN))).toMatchObject({ status: 200, success: true });
  });

  // A holder of the sandbox's company certificate answers for it by a CPF: the person is named by none here.
  test.each([{ requireCompanyCertificate: true }, { requiredCertificateHolderTypeToSign: 'Company' }])(
    'an action with %j takes a certificate of a company, and none of a person',
    async (option) => {
      const document = await waiting({ type: 'Signer', user: { name: 'Ana' }, ...option });
      expect(await start(document, stage.holder(OWN))).toMatchObject({
        status: 422,
        code: 'CertificateHolderTypeMismatch',
        details: { requiredCertificateHolderType: 'Company' },
      });
      expect(await start(document, stage.holder('11222333000181'))).toMatchObject({ success: true });
    },
  );

  test('an action that asks for a certificate of a person takes none of a company', async () => {
    const option = { requiredCertificateHolderTypeToSign: 'Individual' };
    const document = await waiting({ type: 'Signer', user: { name: 'Ana' }, ...option });
    expect(await start(document, stage.holder('11222333000181'))).toMatchObject({
      code: 'CertificateHolderTypeMismatch',
    });
    expect(await start(document, stage.holder(OWN))).toMatchObject({ success: true });
  });

  test('of two actions of one person, the certificate does the one that takes its holder', async () => {
    const asking = (more: object) => ({ type: 'Signer', user: { name: 'Ana' }, ...more });
    const document = await waiting(asking({ requireCompanyCertificate: true }), asking({}));
    expect(await start(document, stage.holder(OWN))).toMatchObject({ success: true });
  });

  test('a CPF that nobody waits for is refused, whatever the certificate is worth', async () => {
    const document = await waiting(signer(OTHER), signer(OWN, { step: 2 }));
    expect(await start(document, stage.holder(OWN))).toMatchObject({ status: 422, code: 'CpfNotExpected' });
  });

  test('a named action is done by its own CPF alone', async () => {
    const document = await waiting(signer(OTHER), signer(OWN));
    const [first, second] = document.flow;
    expect(await start(document, stage.holder(OWN), { flowActionId: first?.id })).toMatchObject({
      code: 'CpfMismatch',
      details: { flowActionId: first?.id },
    });
    expect(await start(document, stage.holder(OWN), { flowActionId: 'none' })).toMatchObject({
      code: 'InvalidFlowAction',
    });
    expect(await start(document, stage.holder(OWN), { flowActionId: second?.id })).toMatchObject({
      success: true,
    });
  });

  test('somebody of whom no CPF is known signs with any certificate, which then says who it was', async () => {
    const document = await waiting(signer(null));
    await sign(stage.key, document, stage.holder(OTHER));
    const { flow, state } = await current(document);
    expect(state).toBe('FlowConcluded');
    expect(flow[0]?.completions[0]?.by.identifier).toBe(OTHER);
  });

  test('a company is asked for by its CNPJ, beside the CPF of who answers for it', async () => {
    const document = await waiting(signer(OWN, { requiredCompanyIdentifier: COMPANY }));
    expect(await start(document, stage.holder(OWN))).toMatchObject({
      code: 'CompanyIdentifierMismatch',
      details: { requiredCompanyIdentifier: COMPANY },
    });
    expect(await start(document, stage.holder(COMPANY))).toMatchObject({ success: true });
  });

  test('one holder does not stand for two people of a rule', async () => {
    const people = ['a', 'b'].map((name) => ({ name }));
    const rule = { type: 'SignRule', ruleName: 'Both', numberRequiredSignatures: 2, signRuleUsers: people };
    const document = await waiting(rule);
    expect((await sign(stage.key, document, stage.holder(OWN))).status).toBe(200);
    expect(await start(document, stage.holder(OWN))).toMatchObject({ code: 'CpfNotExpected' });
    expect((await sign(stage.key, document, stage.holder(OTHER))).status).toBe(200);
    expect(await current(document)).toMatchObject({ state: 'FlowConcluded' });
  });
});

const testRoot = (): string =>
  `-----BEGIN CERTIFICATE-----\n${testPki().root.certificate.der.toString('base64')}\n-----END CERTIFICATE-----\n`;
