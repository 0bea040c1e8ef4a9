import { AdminRefusal } from '../../shared/access/administration.ts';
import { type Cpf, parseCpf } from '../../shared/taxpayer/cpf.ts';

/** The CPF that an operator wrote. */
export function cpfIn(text: string): Cpf {
  const cpf = parseCpf(text);
  if (!cpf) throw new AdminRefusal(`"${text}" is no CPF: its check digits do not hold.`);
  return cpf;
}
