import { type Budget, chargeTime } from '../../../bounds/budget.ts';
import { PdfRefused } from '../refused.ts';
import { BULK_BYTE_UNITS } from './budget.ts';
import type { Chain } from './chain.ts';
import type { Source } from './source.ts';

/**
 * Refuses an encrypted file by that name, whatever its cross-reference looks like. Any section may say so, the
 * stream beside a table too. In a file whose sections cannot be read, the words of a trailer are looked for.
 */
export function refuseEncrypted(source: Source, budget: Budget, read: () => Chain): Chain {
  try {
    const chain = read();
    const trailers = chain.sections.flatMap(({ trailer, hidden }) => [
      trailer,
      ...(hidden ? [hidden.trailer] : []),
    ]);
    return trailers.some((trailer) => trailer.has('Encrypt')) ? refuse() : chain;
  } catch (error) {
    const isUnreadable = error instanceof PdfRefused && error.reason === 'broken';
    if (isUnreadable && namesEncryption(source, budget)) refuse();
    throw error;
  }
}

const refuse = (): never => {
  throw new PdfRefused(
    'encrypted',
    'The PDF is encrypted.',
    'Remove its password or restrictions and retry.',
  );
};

const KEY = '/Encrypt';
const ENTRY = /^\/Encrypt\s*(?:\d{1,10}\s+\d{1,5}\s+R(?!\w)|<<)/;
const MAX_ENTRY = 64; // bytes

function namesEncryption({ pieces }: Source, budget: Budget): boolean {
  return pieces.some((piece) => {
    chargeTime(budget, BULK_BYTE_UNITS * piece.length);
    for (let at = piece.indexOf(KEY, 0, 'latin1'); at >= 0; at = piece.indexOf(KEY, at + 1, 'latin1'))
      if (ENTRY.test(piece.toString('latin1', at, at + MAX_ENTRY))) return true;
    return false;
  });
}
