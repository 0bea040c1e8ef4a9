import { type Cnpj, parseCnpj } from '../../taxpayer/cnpj.ts';
import { type Cpf, parseCpf } from '../../taxpayer/cpf.ts';
import { trimEnd } from '../../text/trim-end.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { subjectAltNames } from '../extensions/extensions.ts';
import { certificatePolicies } from '../extensions/policies.ts';
import { nameValue, readLeniently } from '../name/name.ts';
import { NAME_OID } from '../name/oids.ts';
import {
  ICP_BRASIL_FIELD as FIELD,
  isBlank,
  type PersonFields,
  readPersonFields,
  splitState,
} from './fields.ts';
import type { IcpBrasilType } from './types.ts';

/** The holder that a certificate claims. Blank, zero-filled and invalid fields are absent. */
export type IcpBrasilIdentity = {
  readonly certificateType: IcpBrasilType;
  readonly holder: 'person' | 'company' | 'unknown';
  /** The person's CPF, or that of the person responsible for the company. */
  readonly cpf?: Cpf;
  readonly cnpj?: Cnpj;
  /** The person's name, or that of the person responsible for the company. */
  readonly personName?: string;
  readonly companyName?: string;
  /** yyyy-mm-dd */
  readonly birthDate?: string;
  readonly rg?: PersonFields['rg'];
  readonly oab?: { readonly number: string; readonly state?: string };
  readonly email?: string;
};

/**
 * Reads the ICP-Brasil identity from the subjectAltName, or from a common name in the form `NAME:CPF`.
 * The identity is a claim: only a judged path proves it.
 * @example icpBrasilIdentity(certificate).cpf
 */
export function icpBrasilIdentity(certificate: Certificate): IcpBrasilIdentity {
  const names = subjectAltNames(certificate);
  const field = (id: string): string | undefined => {
    const found = names.find((name) => name.kind === 'otherName' && name.oid === id);
    // Only the end is trimmed, because fields are found by their offset.
    const text = found?.kind === 'otherName' ? trimEnd(readLeniently(found.value), /[\s\0]/) : '';
    return isBlank(text) ? undefined : text;
  };
  const common = splitCommonName(nameValue(certificate.subject, NAME_OID.commonName) ?? '');
  const personText = field(FIELD.person);
  const { cpf, ...person } = readPersonFields(personText ?? field(FIELD.responsible) ?? '');
  const cnpj = parseCnpj(field(FIELD.cnpj) ?? '') ?? (personText ? undefined : common.cnpj);
  const holder = personText ? 'person' : cnpj ? 'company' : (cpf ?? common.cpf) ? 'person' : 'unknown';
  const oab = field(FIELD.oab);
  const email = names.find(({ kind }) => kind === 'rfc822Name');
  return omitUndefined<IcpBrasilIdentity>({
    certificateType: certificateTypeOf(certificate),
    holder,
    cpf: cpf ?? common.cpf,
    cnpj,
    personName:
      holder === 'company' ? field(FIELD.responsibleName) : holder === 'person' ? common.name : undefined,
    companyName: field(FIELD.companyName) ?? (holder === 'company' ? common.name : undefined),
    ...person,
    oab: oab ? readOab(oab) : undefined,
    email: email?.kind === 'rfc822Name' ? email.value : nameValue(certificate.subject, NAME_OID.emailAddress),
  });
}

type CommonName = { readonly name?: string; readonly cpf?: Cpf; readonly cnpj?: Cnpj };

/** `MARIA DA SILVA:52998224725` is a name and a number; any other text is a name. */
function splitCommonName(text: string): CommonName {
  const at = text.lastIndexOf(':');
  const number = at < 0 ? '' : text.slice(at + 1).trim();
  const cpf = parseCpf(number);
  const cnpj = parseCnpj(number);
  const name = (cpf || cnpj ? text.slice(0, at) : text).trim();
  return { ...(name && { name }), ...(cpf && { cpf }), ...(cnpj && { cnpj }) };
}

// The arc below 2.16.76.1.2 is the type (DOC-ICP-04): A1..A4 are 1..4, S1..S4 101..104, T3 and T4 203 and 204.
const POLICY = /^2\.16\.76\.1\.2\.(\d{1,3})(?:\.|$)/;
const ARCS: Readonly<Record<string, IcpBrasilType>> = {
  1: 'A1',
  2: 'A2',
  3: 'A3',
  4: 'A4',
  101: 'S1',
  102: 'S2',
  103: 'S3',
  104: 'S4',
  203: 'T3',
  204: 'T4',
};

function certificateTypeOf(certificate: Certificate): IcpBrasilType {
  for (const { oid } of certificatePolicies(certificate) ?? []) {
    const type = ARCS[POLICY.exec(oid)?.[1] ?? ''];
    if (type) return type;
  }
  return 'Unknown';
}

// The lawyer's number in seven digits, then the state.
function readOab(text: string): IcpBrasilIdentity['oab'] {
  const { rest, state } = splitState(text);
  const number = rest.replace(/^0+/, '');
  return number ? { number, ...(state && { state }) } : undefined;
}

/** A copy without the keys whose value is undefined. */
function omitUndefined<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined)) as T;
}
