import { buffer } from 'node:stream/consumers';
import { XmlDocument } from 'libxml2-wasm';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { cosignAttached, signAttached, signDetached } from '../../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { encodePem } from '../../../../shared/signing/cms/pem.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { honest as archivedCms } from '../../bounds/cms.ts';
import { hybridPdf, plainPdf } from '../pades/documents.ts';
import { company, judge, OPTIONS, person, stamp, verify } from '../pades/parties.ts';
import { signLikePyHanko } from '../pades/pyhanko-layout.ts';

/** A signed file, and how to see what of it was signed. */
export type Sample = {
  readonly bytes: Buffer;
  /** Its part of all mutants, against 4 of an ordinary one: what takes long to verify has less. */
  readonly share?: number;
  /** Saves before it, which are signed files too. */
  readonly earlier?: readonly Buffer[];
  readonly verify: (bytes: Buffer) => Promise<{ readonly valid: boolean }>;
  /** Everything that the signatures of a file vouch for. */
  readonly signedParts: (bytes: Buffer) => readonly string[];
};

const REFUSALS = ['PdfRefused', 'CmsMalformed', 'XmlRefused'];

/** Whether a mutant is still called valid. Only the verifiers' own refusals may be thrown. */
export async function isCalledValid({ verify }: Sample, bytes: Buffer): Promise<boolean> {
  try {
    return (await verify(bytes)).valid;
  } catch (error) {
    if (error instanceof Error && REFUSALS.includes(error.name)) return false;
    throw error;
  }
}

const context = { judge, atMs: Date.now() };

// A signature stands in a hole that nothing covers. All else of a PDF is signed, by one of its saves.
const HOLE = /<[0-9a-fA-F]{1000,}>/g;

const pdfSample = (bytes: Buffer, ...earlier: readonly Buffer[]): Sample => ({
  bytes,
  earlier,
  verify: verify,
  signedParts: (file) => [
    file
      .toString('latin1')
      .replace(HOLE, '<>')
      .replace(/[\s\0]+$/, ''),
  ],
});

const CONTENT = Buffer.from('Remessa de pagamentos: 1.234,56 para a conta 0001/98765-4.\r\n'.repeat(4));

const cmsSample = (bytes: Buffer, content?: Buffer): Sample => ({
  bytes,
  verify: (file) => verifyCades(file, { ...context, ...(content && { content }) }),
  signedParts: (file) => {
    const [, base64] = /-----BEGIN [^-]*-----([A-Za-z0-9+/=\s]*)/.exec(file.toString('latin1')) ?? [];
    const der = base64 === undefined ? file : Buffer.from(base64, 'base64');
    const { content: inside, signers } = readSignedData(der);
    return signers.map(({ signedDer, signature }) =>
      [inside, signedDer, signature].map((part) => part?.toString('hex')).join(' '),
    );
  },
});

/** Content that changes beside a signature that stays. */
const contentSample = (signature: Buffer): Sample => ({
  bytes: CONTENT,
  verify: (content) => verifyCades(signature, { ...context, content }),
  signedParts: (content) => [content.toString('hex')],
});

// Canonical form is what is signed of XML: how a tag is spaced is not. The signatures are left out of the whole.
const xmlSample = (bytes: Buffer): Sample => ({
  bytes,
  verify: (file) => verifyXades(file, context),
  signedParts: (file) => {
    const document = XmlDocument.fromBuffer(file);
    try {
      for (const signature of document.find('//ds:Signature', { ds: 'http://www.w3.org/2000/09/xmldsig#' }))
        signature.remove();
      return [document.canonicalizeToString({ mode: 1, withComments: false })];
    } finally {
      document.dispose();
    }
  },
});

const XML = Buffer.from(
  `<?xml version="1.0"?>\n<diploma xmlns="http://teste.br/diploma" versao="1"><infDiploma id="D1"><nome>Ana &amp; Bia</nome><curso codigo='12'>Direito</curso></infDiploma></diploma>\n`,
);

/** One small file of every kind that the verifiers read. */
export async function makeSamples(): Promise<Record<string, Sample>> {
  const detached = await signDetached(await measure(CONTENT, 'sha256'), person, OPTIONS);
  const attached = await buffer(signAttached(() => CONTENT, person, { ...OPTIONS, stamp }));
  const twoSigners = await buffer(cosignAttached(() => attached, company, OPTIONS));
  const once = await signPades(await plainPdf('table', { form: true, pages: 1 }), person, OPTIONS);
  const inStreams = await signPades(await plainPdf('streams', { pages: 1 }), person, OPTIONS);
  const twice = await signPades(once, company, { ...OPTIONS, stamp, archive: stamp });
  const afterUs = await signLikePyHanko(inStreams, { key: company, field: 'Signature2' });
  const whole = await signXades(XML, person, { ...OPTIONS, leaveRoom: true });
  const both = await signXades(whole, company, { ...OPTIONS, leaveRoom: true });
  return {
    'a PDF with a table': pdfSample(once),
    'a PDF with streams': pdfSample(inStreams),
    'a hybrid PDF': pdfSample(await signPades(hybridPdf(), person, OPTIONS)),
    "a PDF signed in pyHanko's layout after us": { ...pdfSample(afterUs, inStreams), share: 2 },
    'a PDF of two signers and an archive timestamp': { ...pdfSample(twice, once), share: 1 },
    'a detached CMS': cmsSample(detached, CONTENT),
    'the content of a detached CMS': contentSample(detached),
    'an attached CMS of two signers': { ...cmsSample(twoSigners), share: 2 },
    'a CMS in PEM': cmsSample(await buffer(encodePem(attached))),
    'a CMS with a countersignature and an archive timestamp': { ...cmsSample(archivedCms()), share: 2 },
    'an XML document': xmlSample(await signXades(XML, person, { ...OPTIONS, stamp })),
    'an XML document of two signers': { ...xmlSample(both), share: 2 },
  };
}

/** How many mutants of each sample make so many in all. */
export function sharesOf(samples: readonly Sample[], count: number): number[] {
  const total = samples.reduce((sum, { share = ORDINARY_SHARE }) => sum + share, 0);
  return samples.map(({ share = ORDINARY_SHARE }) => Math.ceil((count * share) / total));
}

const ORDINARY_SHARE = 4;
