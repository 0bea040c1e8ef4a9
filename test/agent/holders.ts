import { randomInt, randomUUID } from 'node:crypto';
import { parseCpf } from '../../shared/taxpayer/cpf.ts';
import { type Holder, type KeyKind, testPki } from '../certificates/pki.ts';

/** A CPF that no other test uses. */
export function anyCpf(): string {
  const nine = String(randomInt(10 ** 8, 10 ** 9));
  const check = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
  const found = check.map((digits) => parseCpf(`${nine}${digits}`)).find((cpf) => cpf !== undefined);
  return found ?? anyCpf();
}

export type Person = Holder & { readonly cpf: string; readonly name: string };

/** Somebody with a certificate, whom no other test knows. */
export function anyPerson(key: KeyKind = 'rsa2048', cpf = anyCpf()): Person {
  const name = `ANA DE TESTE ${randomUUID().slice(0, 8)}`;
  const fields = { person: { cpf, birthDate: '15021980' }, email: 'ana@example.com.br' };
  return { ...testPki().holder({ key, commonName: `${name}:${cpf}`, fields }), cpf, name };
}
