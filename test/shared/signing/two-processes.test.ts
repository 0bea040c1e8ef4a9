import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { measure } from '../../../shared/signing/cades/content.ts';
import { prepareCades } from '../../../shared/signing/cades/prepare.ts';
import { verifyCades } from '../../../shared/signing/cades/verify.ts';
import { hashOf, type SigningDigest } from '../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../shared/signing/key.ts';
import { preparePades } from '../../../shared/signing/pades/prepare.ts';
import { verifyPdf } from '../../../shared/signing/pades/verify/verify-pdf.ts';
import { prepareXades } from '../../../shared/signing/xades/prepare.ts';
import { verifyXades } from '../../../shared/signing/xades/verify/verify.ts';
import type { KeyKind } from '../../certificates/pki.ts';
import { holderKey, judge, pki, trustPem } from './cms/fixtures.ts';
import { folder, hasOpenssl, opensslVerifies } from './cms/openssl.ts';
import { buildPdf, ONE_PAGE } from './pades/documents.ts';
import { missingTools, openJudges } from './pades/judges.ts';
import type { Kept } from './second-process.ts';
import { hasXmlsec, xmlsec } from './xades/xmlsec.ts';

const files = folder();
const pdfJudges = missingTools().length ? undefined : openJudges(pki.root.certificate);
const xmlJudge = xmlsec(pki);
afterAll(() => {
  files.remove();
  pdfJudges?.close();
  xmlJudge.remove();
});

const KEYS: KeyKind[] = ['rsa2048', 'rsa3072', 'rsa4096', 'p256', 'p384'];
const DIGESTS: SigningDigest[] = ['sha256', 'sha384', 'sha512'];
const FORMATS = ['PAdES', 'CAdES', 'XAdES'] as const;
const CASES = FORMATS.flatMap((format) =>
  KEYS.flatMap((kind) => DIGESTS.map((digest) => ({ format, kind, digest }))),
);
type Case = (typeof CASES)[number];

const pdf = buildPdf(ONE_PAGE);
const document = Buffer.from('<contrato><parte Id="p1">São José</parte></contrato>');
const atMs = Date.now();

/** The first step, which has the certificate and not its key; the key signs a hash and knows nothing else. */
async function prepared({ format, kind, digest }: Case): Promise<Kept> {
  const key = holderKey({ key: kind });
  const { certificate, chain } = key;
  const asked = { certificate, chain, digest, signingTimeMs: atMs };
  if (format === 'PAdES') {
    const { increment, ...made } = preparePades(pdf, asked);
    return { format, increment: increment.toString('base64'), ...(await signed(key, made)) };
  }
  if (format === 'CAdES')
    return { format, ...(await signed(key, prepareCades(await measure(document, digest), asked))) };
  const made = await prepareXades(document, asked);
  return { format, document: document.toString('base64'), ...(await signed(key, made)) };
}

type Made<State> = {
  readonly state: State;
  readonly digest: SigningDigest;
  readonly hash: Buffer;
  readonly toSign: Buffer;
};

async function signed<State>(key: SigningKey, { state, digest, hash, toSign }: Made<State>) {
  expect(hash).toEqual(hashOf(digest, toSign));
  return { state, signature: (await key.signHash(digest, hash)).toString('base64') };
}

function inAnotherProcess(kept: readonly Kept[]): Buffer[] {
  const args = ['--no-warnings', new URL('./second-process.ts', import.meta.url).pathname];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    input: JSON.stringify(kept),
    maxBuffer: 64 * 1024 * 1024,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as string[]).map((text) => Buffer.from(text, 'base64'));
}

const made = inAnotherProcess(await Promise.all(CASES.map(prepared)));

test.each(CASES.map((one, at) => [one.format, one.kind, one.digest, made[at] ?? Buffer.alloc(0)] as const))(
  'a signature prepared in one process and completed in another, with JSON between them, is good as %s by %s with %s, to the outside judge and to us',
  async (format, _kind, digest, bytes) => {
    const [outside, ours] = await JUDGED[format](bytes);
    expect(ours).toMatchObject({ valid: true, digests: [digest] });
    expect(outside ?? true).toBe(true);
  },
);

type Ours = { readonly valid: boolean; readonly digests: readonly unknown[] };
/** What the outside judge says, undefined where it is not installed, and what we say. */
type Judged = readonly [boolean | undefined, Ours];

const context = { judge, atMs };
const trust = files.file('trust.pem', trustPem());

const JUDGED: Record<Case['format'], (bytes: Buffer) => Promise<Judged>> = {
  PAdES: async (bytes) => {
    const whole = Buffer.concat([pdf, bytes]);
    const { valid, signatures } = await verifyPdf(whole, context);
    const told = pdfJudges?.judge(whole);
    const isGood = told && told.signatures.join() === 'Signature is Valid.' && told.complaints === '';
    return [isGood, { valid, digests: signatures.map(({ digest }) => digest) }];
  },
  CAdES: async (bytes) => {
    const { valid, signers } = await verifyCades(bytes, { ...context, content: document });
    const told = () => opensslVerifies(files, bytes, { trust, content: document });
    return [hasOpenssl ? told().ok : undefined, { valid, digests: signers.map(({ digest }) => digest) }];
  },
  XAdES: async (bytes) => {
    const { valid, signatures } = await verifyXades(bytes, context);
    const digests = signatures.map(({ digest }) => digest);
    return [hasXmlsec ? xmlJudge.judge(bytes) === 'OK' : undefined, { valid, digests }];
  },
};
