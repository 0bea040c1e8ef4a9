import { ConnectionLost, RequestRefused } from '../api.ts';
import { language } from '../page-language.ts';
import { Pkcs12Refused } from '../pkcs12-refused.ts';
import { NotADocument } from './to-be-signed.ts';
import { certificateWords, problemWords } from './words.ts';

/** A failure as the page shows it. */
export type Problem = {
  readonly text: string;
  /** The causes, one line each. */
  readonly reasons: readonly string[];
  /** The input that the person must correct. */
  readonly about?: 'file' | 'password' | 'code' | 'reason' | undefined;
  /** The code of a refusal, as it is shown. */
  readonly code?: string | undefined;
};

export type ValidationItem = {
  readonly type: string;
  readonly message: string;
  readonly innerValidationResults: { readonly errors: readonly ValidationItem[] } | null;
};

/** Missing or unusable input: the action stops before any request. */
export class InputProblem extends Error {
  override readonly name = 'InputProblem';
  readonly about: Problem['about'];
  constructor(text: string, about?: Problem['about']) {
    super(text);
    this.about = about;
  }
}

/** The server judged that the certificate may not sign. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
  readonly errors: readonly ValidationItem[];
  constructor(errors: readonly ValidationItem[]) {
    super('The certificate may not sign.');
    this.errors = errors;
  }
}

/** The page's message for a refusal of the server, if it knows the code. */
type Meaning = (refused: RequestRefused) => Problem | undefined;

/**
 * Explains refusals by a table of words. Those `aboutFile` lead to the chosen certificate.
 * @example const meaningOf = meaningBy(refusalWords(language), ['CpfMismatch']);
 */
export const meaningBy =
  (words: Readonly<Record<string, string>>, aboutFile: readonly string[]) =>
  ({ code }: Pick<RequestRefused, 'code'>): Problem | undefined => {
    const text = Object.hasOwn(words, code) ? words[code] : undefined;
    if (text === undefined) return undefined;
    return { text, reasons: [], ...(aboutFile.includes(code) && { about: 'file' }) };
  };

/**
 * The message for any failure.
 * @example form.showProblem(problemOf(error, (refused) => meanings[refused.code]));
 */
export function problemOf(error: unknown, meaning: Meaning): Problem {
  const words = problemWords(language);
  if (error instanceof InputProblem) return { text: error.message, reasons: [], about: error.about };
  if (error instanceof Pkcs12Refused) {
    const about = error.reason === 'wrongPassword' ? 'password' : 'file';
    return { text: words[error.reason], reasons: [], about };
  }
  if (error instanceof CertificateRefused)
    return { text: words.certificateRefused, reasons: reasonsOf(error.errors), about: 'file' };
  if (error instanceof NotADocument) return plainProblem(words.notADocument);
  if (error instanceof ConnectionLost) return plainProblem(words.lost);
  if (error instanceof RequestRefused) return meaning(error) ?? plainProblem(words.unexpected(error.code));
  // Browsers throw a TypeError for a chunk that does not load.
  if (error instanceof TypeError && /import|module/i.test(error.message))
    return plainProblem(words.notLoaded);
  return plainProblem(words.unexpected(error instanceof Error ? error.name : 'Error'));
}

const plainProblem = (text: string): Problem => ({ text, reasons: [] });

function reasonsOf(errors: readonly ValidationItem[]): string[] {
  const known: Readonly<Record<string, string>> = certificateWords(language);
  const deciding = errors.flatMap(actionableItemsOf);
  return [...new Set(deciding.map(({ type, message }) => known[type] ?? message))];
}

// Errors of issuers that the signer can act on. Others, such as an expired issuer, are reported as one item.
const ACTIONABLE = new Set([
  'CertificateChainRootNotTrusted',
  'UnknownRootTrustStatus',
  'CertificateIssuerNotFound',
]);

function actionableItemsOf(item: ValidationItem): ValidationItem[] {
  const inner = item.innerValidationResults?.errors.flatMap(withInner) ?? [];
  const above = inner.filter(({ type }) => ACTIONABLE.has(type));
  return above.length > 0 ? above : [item];
}

const withInner = (item: ValidationItem): ValidationItem[] => [
  item,
  ...(item.innerValidationResults?.errors.flatMap(withInner) ?? []),
];
