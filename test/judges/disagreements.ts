import { NOT_JUDGED } from './compare.ts';

export type Disagreement = {
  readonly judge: 'EU DSS' | 'pyHanko';
  /** Names of files, all of which the judge says the same of. */
  readonly files: RegExp;
  readonly says: string;
  readonly because: string;
};

const NOTHING_FETCHED = {
  files: /^bad-unreachable-/,
  says: 'INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE',
  because:
    'No list could be fetched. TRY_LATER is the sub-indication for what more revocation data may settle, and tells people what to do.',
};

/** Where a judge says otherwise than `npm run verify`, and why we stay with ours. A row that has become untrue fails its test. */
export const DISAGREEMENTS: readonly Disagreement[] = [
  // What the judge does not read.
  { judge: 'EU DSS', files: /^cades-pem/, says: NOT_JUDGED, because: 'It reads CMS in DER alone.' },
  { judge: 'pyHanko', files: /^cades-pem/, says: NOT_JUDGED, because: 'It reads CMS in DER alone.' },
  {
    judge: 'pyHanko',
    files: /^cades-cosigned/,
    says: NOT_JUDGED,
    because: 'It reads CMS of one signer alone.',
  },
  {
    judge: 'pyHanko',
    files: /^pades-hybrid/,
    says: NOT_JUDGED,
    because: 'It refuses PDFs with both kinds of cross-references, whatever was signed.',
  },
  {
    judge: 'pyHanko',
    files: /^pdf-changed-cut/,
    says: NOT_JUDGED,
    because: 'It refuses a PDF without its end, and so do we.',
  },
  {
    judge: 'EU DSS',
    files: /^pdf-changed-cut/,
    says: 'TOTAL_FAILED integrity',
    because:
      'It reads a PDF without its end as far as it goes. We cannot tell what was signed, and ask for the whole file.',
  },
  {
    judge: 'EU DSS',
    files: /^pades-policy/,
    says: 'TOTAL_PASSED',
    because: 'The kind /PBAD.PAdES is of ICP-Brasil, and outside of the levels of ETSI that it names.',
  },
  {
    judge: 'pyHanko',
    files: /^cms-without-content/,
    says: 'TOTAL_FAILED integrity',
    because: 'It takes content that is not there for content of no bytes.',
  },

  // Certificates.
  { judge: 'EU DSS', ...NOTHING_FETCHED },
  { judge: 'pyHanko', ...NOTHING_FETCHED },
  {
    judge: 'EU DSS',
    files: /^bad-expired-/,
    says: 'INDETERMINATE CERTIFICATE_CHAIN_GENERAL_FAILURE',
    because:
      'It looks for revocation data first, and takes no list for an expired certificate that does not say how long it keeps them.',
  },
  {
    judge: 'pyHanko',
    files: /^bad-expired-B-T/,
    says: 'TOTAL_PASSED T',
    because:
      'It takes a timestamp for proof that is later than the end of the certificate. Neither we nor EU DSS do.',
  },

  // Timestamps.
  {
    judge: 'pyHanko',
    files: /^(cms|pdf)-strangers-timestamp/,
    says: 'INDETERMINATE NO_CERTIFICATE_CHAIN_FOUND',
    because:
      'A timestamp of an authority that nobody trusts proves nothing. EN 319 102-1, 5.5.4, leaves it out, and so do EU DSS and we.',
  },
  {
    judge: 'pyHanko',
    files: /^pdf-strangers-archive-timestamp/,
    says: 'INDETERMINATE NO_POE',
    because: 'The same for a timestamp over the file.',
  },
  {
    judge: 'EU DSS',
    files: /^(cms|xml)-timestamp-of-another/,
    says: 'TOTAL_PASSED T',
    because:
      'A timestamp over another signature is left out by EN 319 102-1, 5.5.4. We take it for a change of the file, as pyHanko does.',
  },

  // Plain CMS: nothing that is signed says whose certificate it is.
  {
    judge: 'EU DSS',
    files: /^cms-forged-without-certificate-attribute/,
    says: 'TOTAL_PASSED',
    because:
      'Another certificate of the same key could take the place of the signer’s, which EN 319 122-1 has an attribute against.',
  },
  {
    judge: 'pyHanko',
    files: /^cms-forged-without-(certificate-attribute|attributes)/,
    says: 'TOTAL_PASSED B',
    because: 'The same; EU DSS does not accept the one without any attribute either.',
  },
];
