import * as asn1 from 'asn1js';
import type { Extension, GeneralName } from 'pkijs';
import { ICP_BRASIL_FIELD as FIELD } from '../../../../../shared/pki/icp-brasil/fields.ts';
import { subjectAltNameOf } from './extensions.ts';
import { mailName, otherName } from './general-names.ts';

/** What ICP-Brasil writes about a person, in fields of fixed width. A field that is not given is zeros. */
export type PersonFields = {
  readonly cpf: string;
  /** ddmmaaaa */
  readonly birthDate?: string;
  readonly nis?: string;
  readonly rg?: string;
  /** The body that issued the RG and its state: `SSPSP`. Written only with an RG. */
  readonly rgIssuer?: string;
};

export type HolderFields = {
  readonly person?: PersonFields;
  readonly company?: {
    readonly cnpj: string;
    readonly name?: string;
    readonly cei?: string;
    readonly responsible: PersonFields & { readonly name: string };
  };
  readonly voter?: {
    readonly title: string;
    readonly zone?: string;
    readonly section?: string;
    readonly place?: string;
  };
  readonly cei?: string;
  /** Number in seven places and state: `0123456SP`. */
  readonly oab?: string;
  readonly email?: string;
  /** How the otherNames are written; OCTET STRING as most authorities do. */
  readonly stringType?: StringType;
};

/** The types that real authorities have written otherNames in. */
export type StringType = 'octets' | 'printable' | 'utf8' | 'ia5' | 'teletex' | 'bmp';

const VALUES: Readonly<Record<StringType, (text: string) => asn1.BaseBlock>> = {
  octets: (text) => new asn1.OctetString({ valueHex: Buffer.from(text, 'utf8') }),
  printable: (value) => new asn1.PrintableString({ value }),
  utf8: (value) => new asn1.Utf8String({ value }),
  ia5: (value) => new asn1.IA5String({ value }),
  teletex: (value) => new asn1.TeletexString({ value }),
  bmp: (value) => new asn1.BmpString({ value }),
};

const zeros = (value: string | undefined, width: number): string => (value ?? '').padStart(width, '0');

const personText = ({ cpf, birthDate, nis, rg, rgIssuer }: PersonFields): string =>
  `${zeros(birthDate, 8)}${zeros(cpf, 11)}${zeros(nis, 11)}${zeros(rg, 15)}${rg && rgIssuer ? rgIssuer : ''}`;

/** The subjectAltName of an e-CPF or e-CNPJ. @example holderNames({ person: { cpf: '52998224725' }, email: 'a@b.br' }) */
export function holderNames(holder: HolderFields): Extension {
  const { person, company, voter, cei, oab, email, stringType = 'octets' } = holder;
  const field = (type: keyof typeof FIELD, text: string): GeneralName =>
    otherName(FIELD[type], VALUES[stringType](text));
  const names: GeneralName[] = [];
  if (email) names.push(mailName(email));
  if (person) names.push(field('person', personText(person)));
  if (voter)
    names.push(
      field(
        'voter',
        `${zeros(voter.title, 12)}${zeros(voter.zone, 3)}${zeros(voter.section, 4)}${voter.place ?? ''}`,
      ),
    );
  if (person) names.push(field('personCei', zeros(cei, 12)));
  if (company) {
    names.push(field('responsible', personText(company.responsible)));
    names.push(field('responsibleName', company.responsible.name));
    names.push(field('cnpj', company.cnpj));
    names.push(field('companyCei', zeros(company.cei, 12)));
    if (company.name) names.push(field('companyName', company.name));
  }
  if (oab) names.push(field('oab', oab));
  return subjectAltNameOf(names);
}
