import type { RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import type { Problem } from '../../../../../shared/ui/browser/signing/problems.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { refusalWords } from './words.ts';

const ABOUT_CERTIFICATE = new Set([
  'CpfMismatch',
  'CpfNotExpected',
  'CompanyIdentifierMismatch',
  'CertificateHolderTypeMismatch',
  'CertificateTypeMismatch',
  'CertificateNotFound',
]);

/** What the platform's refusals mean to whoever acts. */
export const meaningIn =
  (language: Language) =>
  ({ code, details }: RequestRefused): Problem | undefined => {
    const known: Readonly<Record<string, string>> = refusalWords(language);
    const text = known[code];
    if (text === undefined) return undefined;
    const reasons = code === 'DocumentNotSignable' && details.reason ? [details.reason] : [];
    return { text, reasons, ...(ABOUT_CERTIFICATE.has(code) && { about: 'file' }) };
  };
