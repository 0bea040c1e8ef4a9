import { Pkcs12Refused } from '../../../../../shared/ui/browser/pkcs12/errors.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { Lost, Refused, type ValidationItem } from './api.ts';
import { CertificateRefused } from './sign-document.ts';
import { NotADocument } from './to-be-signed.ts';
import { certificateWords, problemWords, refusalWords } from './words.ts';

/** A failure as the page tells it. */
export type Problem = {
  readonly text: string;
  /** What it rests on, a line each. */
  readonly reasons: readonly string[];
  /** Which input is to be looked at again. */
  readonly about?: 'file' | 'password' | 'reason' | undefined;
};

/** Any failure in words. */
export function problemOf(error: unknown, language: Language): Problem {
  const words = problemWords(language);
  if (error instanceof Pkcs12Refused) {
    const about = error.reason === 'wrongPassword' ? 'password' : 'file';
    return { text: words[error.reason], reasons: [], about };
  }
  if (error instanceof CertificateRefused)
    return { text: words.certificateRefused, reasons: reasonsOf(error.errors, language), about: 'file' };
  if (error instanceof NotADocument) return told(words.notADocument);
  if (error instanceof Lost) return told(words.lost);
  if (error instanceof Refused) return refusal(error, language);
  // A chunk that does not load is a TypeError in every browser.
  if (error instanceof TypeError && /import|module/i.test(error.message)) return told(words.notLoaded);
  return told(words.unexpected(error instanceof Error ? error.name : 'Error'));
}

const told = (text: string, ...reasons: string[]): Problem => ({ text, reasons });

const ABOUT_CERTIFICATE = new Set([
  'CpfMismatch',
  'CpfNotExpected',
  'CompanyIdentifierMismatch',
  'CertificateNotFound',
]);

function refusal({ code, details }: Refused, language: Language): Problem {
  const known: Readonly<Record<string, string>> = refusalWords(language);
  const text = known[code];
  if (text === undefined) return told(problemWords(language).unexpected(code));
  const reasons = code === 'DocumentNotSignable' && details.reason ? [details.reason] : [];
  return { ...told(text, ...reasons), ...(ABOUT_CERTIFICATE.has(code) && { about: 'file' }) };
}

function reasonsOf(errors: readonly ValidationItem[], language: Language): string[] {
  const known: Readonly<Record<string, string>> = certificateWords(language);
  const deciding = errors.flatMap(decidingOf);
  return [...new Set(deciding.map(({ type, message }) => known[type] ?? message))];
}

// Of what is wrong above a certificate, only what a person can act on: an issuer that expired is not their own.
const ABOVE = new Set([
  'CertificateChainRootNotTrusted',
  'UnknownRootTrustStatus',
  'CertificateIssuerNotFound',
]);

function decidingOf(item: ValidationItem): ValidationItem[] {
  const inner = item.innerValidationResults?.errors.flatMap(withInner) ?? [];
  const above = inner.filter(({ type }) => ABOVE.has(type));
  return above.length > 0 ? above : [item];
}

const withInner = (item: ValidationItem): ValidationItem[] => [
  item,
  ...(item.innerValidationResults?.errors.flatMap(withInner) ?? []),
];
