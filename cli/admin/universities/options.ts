import * as z from 'zod';
import {
  type InstituteSigner,
  ORGANIZATION_KINDS,
  type OrganizationKind,
} from '../../../functions/credentials/tenants/domain/organization.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import type { ValuesOf } from '../../../shared/command-line/parse.ts';
import { hasInvisibleCharacters } from '../../../shared/files/safe-name.ts';
import { parseCpf } from '../../../shared/taxpayer/cpf.ts';
import type { OPTIONS } from '../options.ts';

export type UniversityValues = ValuesOf<typeof OPTIONS>;

// Names are shown to the public, and written into mail and XML.
const isName = (text: string): boolean => text !== '' && !hasInvisibleCharacters(text);

/** @example const name = nameIn(word, 'An institute'); */
export function nameIn(text: string, what: string): string {
  const name = text.trim();
  if (isName(name)) return name;
  throw new AdminRefusal(`${what} needs a name, without invisible characters.`);
}

export function kindsIn({ kind = [] }: UniversityValues): readonly OrganizationKind[] {
  const isKind = (text: string): text is OrganizationKind => ORGANIZATION_KINDS.some((each) => each === text);
  if (kind.length === 0 || !kind.every(isKind))
    throw new AdminRefusal(`Say what it does: --kind ${ORGANIZATION_KINDS.join(', --kind ')}, or both.`);
  return ORGANIZATION_KINDS.filter((each) => kind.includes(each));
}

/** The code begins verification codes, which have no more digits. */
export function emecIn({ emec = '' }: UniversityValues): string {
  if (/^\d{1,10}$/.test(emec)) return emec;
  throw new AdminRefusal('Give its code at e-MEC, of 1 to 10 digits: --emec 1234.');
}

// The document-signature platform takes about as many.
const MAX_SIGNERS = 100;

export function signersIn({ signer = [] }: UniversityValues): readonly InstituteSigner[] {
  const signers = signer.map(signerIn);
  if (signers.length > MAX_SIGNERS)
    throw new AdminRefusal(`An institute has ${MAX_SIGNERS} signers at most.`);
  const twice = signers.find(({ cpf }, at) => signers.findIndex((each) => each.cpf === cpf) < at);
  if (twice) throw new AdminRefusal(`${twice.name} is named twice: the CPF is that of another signer.`);
  return signers;
}

const Email = z.email().max(254);
const MAX_STEP = 1_000;

// Written as STEP=CPF,EMAIL,NAME. A name may have a comma.
function signerIn(text: string): InstituteSigner {
  const [, step = '', number = '', email = '', name = ''] = /^(\d+)=([^,]*),([^,]*),(.*)$/.exec(text) ?? [];
  const cpf = parseCpf(number.trim());
  const isComplete = isName(name.trim()) && Email.safeParse(email.trim()).success;
  if (cpf && isComplete && Number(step) >= 1 && Number(step) <= MAX_STEP)
    return { name: name.trim(), cpf, email: email.trim(), step: Number(step) };
  throw new AdminRefusal(
    `"${text}" is not a signer. Write --signer STEP=CPF,EMAIL,NAME, for example --signer "1=529.982.247-25,ana@example.com,Ana Souza".`,
  );
}
