import { removeInvisibleCharacters } from '../../../../shared/files/safe-name.ts';
import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';

// With any mark between the groups, as people write it. Longer numbers, such as a CNPJ, are not CPFs.
const WRITTEN_CPF =
  /(?<!\d)\d{3}[^\p{L}\p{N}]{0,3}\d{3}[^\p{L}\p{N}]{0,3}\d{3}[^\p{L}\p{N}]{0,3}\d{2}(?!\d)/gu;

/**
 * A text of an institution or a certificate, for everybody: on one line, without characters that are not seen or that
 * turn the reading direction, and with every CPF masked.
 * @example publicText('Homônimo de 529.982.247-25') // 'Homônimo de ***.982.247-**'
 */
export const publicText = (text: string): string =>
  removeInvisibleCharacters(text.replace(/\s+/g, ' ')).trim().replaceAll(WRITTEN_CPF, mask);

function mask(written: string): string {
  const cpf = parseCpf(written.replace(/\D/g, ''));
  return cpf ? maskCpf(cpf) : written;
}

/** A masked CPF; null for a number that is none. @example publicCpf('52998224725') // '***.982.247-**' */
export function publicCpf(number: string | null): string | null {
  const cpf = parseCpf(number ?? '');
  return cpf ? maskCpf(cpf) : null;
}
