import { formatCode, verificationPage } from './verification-code.ts';

// The texts of marks, the same at signing and in the drawn copies. In Portuguese, as everything that is printed.

const PARTICLES = new Set(['da', 'das', 'de', 'di', 'do', 'dos', 'du', 'e']);

/** @example initialsOf('Ana Maria de Souza:52998224725') // 'AMS' */
export const initialsOf = (name: string): string =>
  name
    .split(':')[0]
    ?.split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word) && !PARTICLES.has(word.toLowerCase()))
    .map((word) => word.charAt(0).toUpperCase())
    .join('') || '?';

/** By which a paper copy is verified. */
export const codeStamp = (code: string) => ({
  title: 'Código de verificação',
  name: formatCode(code),
  details: [verificationPage().replace(/^https?:\/\//, '')],
});
