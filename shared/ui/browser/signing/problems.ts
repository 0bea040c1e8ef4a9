import type { Language } from '../../languages.ts';
import { ConnectionLost, RequestRefused } from '../api.ts';
import { Pkcs12Refused } from '../pkcs12-refused.ts';
import { NotADocument } from './to-be-signed.ts';
import { certificateWords, problemWords } from './words.ts';

/** A failure as the page tells it. */
export type Problem = {
  readonly text: string;
  /** What it rests on, a line each. */
  readonly reasons: readonly string[];
  /** Which input is to be looked at again. */
  readonly about?: 'file' | 'password' | 'reason' | undefined;
};

export type ValidationItem = {
  readonly type: string;
  readonly message: string;
  readonly innerValidationResults?: { readonly errors: readonly ValidationItem[] };
};

/** What stops an act before anything is asked of anybody. */
export class InputProblem extends Error {
  override readonly name = 'Unfinished';
  readonly about: Problem['about'];
  constructor(text: string, about?: Problem['about']) {
    super(text);
    this.about = about;
  }
}

/** The server judged the certificate, and it may not sign. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
  readonly errors: readonly ValidationItem[];
  constructor(errors: readonly ValidationItem[]) {
    super('The certificate may not sign.');
    this.errors = errors;
  }
}

/** What a refusal of the server means to the person, if the page knows its code. */
export type Meaning = (refused: RequestRefused) => Problem | undefined;

/**
 * Any failure in words.
 * @example form.failed(problemOf(error, language, (refused) => meanings[refused.code]));
 */
export function problemOf(error: unknown, language: Language, meaning: Meaning): Problem {
  const words = problemWords(language);
  if (error instanceof InputProblem) return { text: error.message, reasons: [], about: error.about };
  if (error instanceof Pkcs12Refused) {
    const about = error.reason === 'wrongPassword' ? 'password' : 'file';
    return { text: words[error.reason], reasons: [], about };
  }
  if (error instanceof CertificateRefused)
    return { text: words.certificateRefused, reasons: reasonsOf(error.errors, language), about: 'file' };
  if (error instanceof NotADocument) return plainProblem(words.notADocument);
  if (error instanceof ConnectionLost) return plainProblem(words.lost);
  if (error instanceof RequestRefused) return meaning(error) ?? plainProblem(words.unexpected(error.code));
  // A chunk that does not load is a TypeError in every browser.
  if (error instanceof TypeError && /import|module/i.test(error.message))
    return plainProblem(words.notLoaded);
  return plainProblem(words.unexpected(error instanceof Error ? error.name : 'Error'));
}

const plainProblem = (text: string): Problem => ({ text, reasons: [] });

function reasonsOf(errors: readonly ValidationItem[], language: Language): string[] {
  const known: Readonly<Record<string, string>> = certificateWords(language);
  const deciding = errors.flatMap(actionableItemsOf);
  return [...new Set(deciding.map(({ type, message }) => known[type] ?? message))];
}

// Of what is wrong above a certificate, only what a person can act on: an issuer that expired is not their own.
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
