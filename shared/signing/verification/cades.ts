import { errorFinding, resultsOf } from '../../pki/findings/validation-results.ts';
import { type CadesContext, type CadesReport, verifyCades } from '../cades/verify.ts';
import type { SignerReport } from '../cades/verify-signers.ts';
import type { Source } from '../cms/input.ts';
import { CONTENT } from '../cms/oids.ts';
import { CmsMalformed, NotSignedData } from '../errors.ts';
import type { FoundFile, FoundSignature } from './found.ts';
import { VerificationRefused } from './refused.ts';
import { createPart } from './report-parts.ts';

type Context = Pick<CadesContext, 'judge' | 'atMs'> & {
  readonly content?: { readonly name: string | undefined; readonly source: Source } | undefined;
};

/** The signatures of a CMS file. Content is streamed. Throws VerificationRefused for a file that is not SignedData. */
export async function findInCms(signature: Source, { content, ...context }: Context): Promise<FoundFile> {
  const report = await verifyCades(signature, {
    ...context,
    ...(content && { content: content.source }),
  }).catch(refuse);
  if (report.contentType === CONTENT.timestampInfo)
    throw new VerificationRefused(
      'not-a-signature',
      'The file is a timestamp token, which proves a time and signs no document. Verify the signature that it belongs to.',
    );
  const lacksContent = !report.attached && !content;
  const covers = [
    createPart('content', { path: report.attached ? null : (content?.name ?? 'the content given') }),
  ];
  const covered = lacksContent ? [] : [report.attached ? 'the content inside it' : 'the content given'];
  return {
    format: 'CAdES',
    results: report.results,
    coverage: { isComplete: true, covered, missing: [] },
    signatures: report.signers.map((signer) =>
      lacksContent ? withoutContent(signer, report) : { ...foundIn(signer), covers },
    ),
  };
}

// RFC 5652, 6.1 and 8, and RFC 5083. A signature may be inside.
const ENCRYPTED: readonly string[] = [
  CONTENT.envelopedData,
  CONTENT.encryptedData,
  CONTENT.authEnvelopedData,
];

function refuse(cause: unknown): never {
  if (cause instanceof NotSignedData && ENCRYPTED.includes(cause.contentType))
    throw new VerificationRefused(
      'encrypted',
      'The file is encrypted CMS: whether it is signed cannot be seen. Decrypt it and verify what comes out.',
      { cause },
    );
  if (cause instanceof NotSignedData)
    throw new VerificationRefused(
      'not-a-signature',
      `The file is CMS of the type ${cause.contentType}, which carries no signature.`,
      { cause },
    );
  if (!(cause instanceof CmsMalformed)) throw cause;
  throw new VerificationRefused('unreadable', `${cause.message} Ask its sender for the file again.`, {
    cause,
  });
}

const foundIn = (signer: SignerReport): FoundSignature => ({
  ...signer,
  kind: 'signature',
  covers: [],
});

const MISSING = errorFinding(
  'MessageDigestMismatch',
  'The signature is detached: give the content that it is over.',
);

// Nothing was compared, so nothing is broken either.
const withoutContent = (signer: SignerReport, { results }: CadesReport): FoundSignature => ({
  ...foundIn(signer),
  covers: [createPart('nothing')],
  lacksContent: true,
  intact: undefined,
  verdict: undefined,
  valid: false,
  results: results.errors.length > 0 ? results : resultsOf([MISSING]),
});
