import { afterAll, describe, expect, test } from 'vitest';
import { generalizedTime, octetString, oid, sequence } from '../../../shared/der/write.ts';
import { signDetached } from '../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../shared/signing/cades/verify.ts';
import { policyFromDer } from '../../../shared/signing/cms/policy.ts';
import { digestAlgorithm, hashOf } from '../../../shared/signing/digest.ts';
import type { SignatureFormat } from '../../../shared/signing/format-of.ts';
import { verifyPdf } from '../../../shared/signing/pades/verify/verify-pdf.ts';
import { policyOption, type SignatureOptions } from '../../../shared/signing/two-step/options.ts';
import {
  completeSignature,
  prepareSignature,
  signingProblemOf,
} from '../../../shared/signing/two-step/two-step.ts';
import { verifyXades } from '../../../shared/signing/xades/verify/verify.ts';
import { holderKey, judge, pki, trustPem } from './cms/fixtures.ts';
import { folder, hasOpenssl, opensslVerifies } from './cms/openssl.ts';
import { plainPdf } from './pades/documents.ts';
import { missingTools, openJudges } from './pades/judges.ts';
import { hasXmlsec, xmlsec } from './xades/xmlsec.ts';

const files = folder();
const judges = missingTools().length === 0 ? openJudges(pki.root.certificate) : undefined;
const outside = xmlsec(pki);
afterAll(() => {
  files.remove();
  judges?.close();
  outside.remove();
});

const key = holderKey();
const other = holderKey({ keyName: 'other' });
const nowMs = Date.now();
const context = { judge, atMs: nowMs };
const content = Buffer.from('pay Maria 100');
const sha256 = hashOf('sha256', content).toString('base64');
const XML = Buffer.from(
  '<lote xmlns="urn:x"><nota Id="a"><valor>1</valor></nota><fim xmlns="urn:y"/></lote>',
);
const policyFile = sequence(
  digestAlgorithm('sha256'),
  sequence(oid('2.16.76.1.7.1.1.2.3'), generalizedTime(0), sequence()),
  octetString(Buffer.alloc(32, 7)),
);
const policy = policyOption(policyFromDer(policyFile, 'http://politicas.example/PA.der'));

type Signing = { readonly isSigned?: boolean; readonly signer?: typeof key };

/** Both steps, with the record through JSON, as a store keeps it. */
async function sign(
  format: SignatureFormat,
  bytes: Buffer | undefined,
  options?: SignatureOptions,
  { isSigned = false, signer = key }: Signing = {},
): Promise<Buffer> {
  const open = (): Buffer => bytes ?? expect.fail('The content is elsewhere: nobody reads it.');
  const file = {
    read: async () => open(),
    async *stream() {
      yield open();
    },
    isSigned,
  };
  const { certificate, chain } = signer;
  const input = { file, certificate, chain, signingTimeMs: nowMs, isTimestamped: false, othersFollow: false };
  const { hash, record } = await prepareSignature(format, { ...input, options });
  const stored = JSON.parse(JSON.stringify(record));
  const signature = await signer.signHash('sha256', hash);
  const signed = await completeSignature(stored, { file, othersFollow: false }, signature);
  return signed instanceof Uint8Array ? Buffer.from(signed) : Buffer.concat(await Array.fromAsync(signed));
}

const opensslOf = (signature: Buffer, over?: Buffer): string =>
  hasOpenssl
    ? opensslVerifies(files, signature, {
        trust: files.file('trust', trustPem()),
        ...(over && { content: over }),
      }).says
    : 'CAdES Verification successful';

describe('the options of a signature in two steps', () => {
  test('write the reason, place, contact, field and certification of a PDF', async () => {
    const pdf = await plainPdf('table');
    const pades = {
      ...{ reason: 'Aprovação', location: 'Recife', contact: 'ana@example.com' },
      ...({ field: 'Comprador', certify: 2 } as const),
    };
    const signed = await sign('PAdES', pdf, { pades });
    const report = await verifyPdf(signed, context);
    expect(report).toMatchObject({ valid: true, signatures: [{ field: 'Comprador' }] });
    const text = signed.subarray(pdf.length).toString('latin1');
    expect(text).toContain('/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P 2');
    expect(text).toContain('/Location(Recife)');
    expect(text).toContain('/Reason');
    expect(judges?.judge(signed).signatures ?? ['Signature is Valid.']).toEqual(['Signature is Valid.']);
  });

  test('certify a PDF only while nobody has signed it', async () => {
    const signed = await sign('PAdES', await plainPdf('table'));
    const again = sign('PAdES', signed, { pades: { certify: 2 } }, { isSigned: true });
    const problem = signingProblemOf(await again.catch((error: unknown) => error));
    expect(problem).toMatchObject({ subject: 'file', reason: 'already-signed' });
  });

  test.each(['PAdES', 'CAdES', 'XAdES'] as const)('name a policy in %s', async (format) => {
    const bytes = { PAdES: await plainPdf('table'), CAdES: content, XAdES: XML }[format];
    const signed = await sign(format, bytes, { policy });
    const named = {
      PAdES: async () => (await verifyPdf(signed, context)).signatures[0]?.policy,
      CAdES: async () => (await verifyCades(signed, context)).signers[0]?.policy,
      XAdES: async () => (await verifyXades(signed, context)).signatures[0]?.policy,
    }[format];
    expect(await named()).toMatchObject({ oid: '2.16.76.1.7.1.1.2.3', hash: Buffer.alloc(32, 7) });
  });

  test.each<[string, Buffer | undefined, SignatureOptions]>([
    ['of a file', content, { cades: { detached: true } }],
    ['of a hash alone', undefined, { cades: { contentHash: sha256 } }],
  ])('make a detached signature %s', async (_, bytes, options) => {
    const signed = await sign('CAdES', bytes, options);
    expect(signed.includes(content)).toBe(false);
    expect(await verifyCades(signed, { ...context, content })).toMatchObject({ valid: true });
    expect(opensslOf(signed, content)).toMatch(/successful/i);
  });

  test('add a signature to a detached one by its hash, and to an attached one as it is', async () => {
    const detached = await signDetached({ hash: hashOf('sha256', content) }, other, { signingTimeMs: nowMs });
    const both = await sign('CAdES', detached, { cades: { contentHash: sha256 } }, { isSigned: true });
    const report = await verifyCades(both, { ...context, content });
    expect(report).toMatchObject({ valid: true });
    expect(report.signers).toHaveLength(2);
    expect(opensslOf(both, content)).toMatch(/successful/i);

    const attached = await sign('CAdES', content, undefined, { signer: other });
    const added = await sign('CAdES', attached, { cades: { detached: true } }, { isSigned: true });
    expect((await verifyCades(added, context)).signers).toHaveLength(2);
    expect(added.includes(content)).toBe(true);
    expect(opensslOf(added)).toMatch(/successful/i);
  });

  test.each<[string, () => Promise<Buffer>, SignatureOptions | undefined, string]>([
    [
      'without the content of a detached one',
      () => sign('CAdES', content, { cades: { detached: true } }),
      undefined,
      'content-missing',
    ],
    [
      'with the hash of other content',
      () => sign('CAdES', content, { cades: { detached: true } }),
      { cades: { contentHash: hashOf('sha256', Buffer.from('pay Eve')).toString('base64') } },
      'other-content',
    ],
    [
      'with the hash of other content than it holds',
      () => sign('CAdES', content),
      { cades: { contentHash: hashOf('sha256', Buffer.from('pay Eve')).toString('base64') } },
      'other-content',
    ],
    ['to what is no signature', async () => Buffer.from([0x30, 0x82, 0, 1, 0]), undefined, 'malformed'],
  ])('add no signature %s', async (_, first, options, reason) => {
    const refused = sign('CAdES', await first(), options, { isSigned: true });
    const problem = signingProblemOf(await refused.catch((error: unknown) => error));
    expect(problem).toMatchObject({ subject: 'file', reason });
  });

  test('sign one element of XML and put the signature at another', async () => {
    const signed = await sign('XAdES', XML, {
      xades: { element: { id: 'a' }, placedIn: { path: '/x:lote', namespaces: { x: 'urn:x' } } },
    });
    expect(await verifyXades(signed, context)).toMatchObject({ signatures: [{ intact: true }] });
    expect(signed.toString()).toMatch(/<fim xmlns="urn:y"\/><ds:Signature .*<\/ds:Signature><\/lote>$/s);
    expect(signed.toString()).toContain('URI="#a"');
    expect(hasXmlsec ? outside.judge(signed, { idElements: ['nota'] }) : 'OK').toBe('OK');
  });

  test('refuse an element that is not there', async () => {
    const refused = sign('XAdES', XML, { xades: { element: { id: 'b' } } });
    const problem = signingProblemOf(await refused.catch((error: unknown) => error));
    expect(problem).toMatchObject({ subject: 'file', reason: 'element-not-found' });
  });
});
