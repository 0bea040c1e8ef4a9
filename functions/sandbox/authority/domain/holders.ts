import type { HolderFields } from './issuing/icp-brasil.ts';

/** The authorities below which the sandbox's certificates are. */
export type IssuerName = 'root' | 'intermediate' | 'unreachable' | 'untrusted';

/** A certificate of a person or company, as the sandbox's table of holders names it. */
export type Holder = {
  /** The CPF or CNPJ; at a cloud provider, the certificate's alias there. */
  readonly name: string;
  readonly commonName: string;
  readonly fields: HolderFields;
  readonly issuer: IssuerName;
  readonly type: keyof typeof POLICY;
  /** Opens the holder's PKCS#12 file. Those kept at a cloud provider have none. */
  readonly pin?: string;
  /** The session server's vault has it. */
  readonly inVault?: true;
  readonly expired?: boolean;
  /** How long ago it was issued; a day where it is not said. */
  readonly issuedDaysAgo?: number;
  readonly revoked?: boolean;
};

/** Certificate policies of ICP-Brasil's types, below numbers that no authority has. */
export const POLICY = { A1: '2.16.76.1.2.1.999', A3: '2.16.76.1.2.3.999' } as const;

const VAULT_PIN = '1234';
const WORKSTATION_PIN = '4321';
const CNPJ = '11222333000181';

const BORN = '01021980'; // ddmmaaaa

type Shape = Partial<Omit<Holder, 'commonName'>> & { readonly email?: false };

function person(cpf: string, { email, ...shape }: Shape = {}): Holder {
  const named = email === false ? {} : { email: `holder-${cpf}@sandbox.example` };
  return {
    name: cpf,
    commonName: `SANDBOX HOLDER ${cpf}`,
    fields: { person: { cpf, birthDate: BORN }, ...named },
    issuer: 'intermediate',
    type: 'A1',
    ...shape,
  };
}

const vault = (cpf: string, shape: Shape = {}): Holder =>
  person(cpf, { pin: VAULT_PIN, inVault: true, ...shape });
const cloud = (alias: string, shape: Shape = {}): Holder =>
  person('52998224725', { name: alias, type: 'A3', ...shape });

const company: Holder = {
  name: CNPJ,
  commonName: `SANDBOX HOLDER ${CNPJ}`,
  fields: {
    company: {
      cnpj: CNPJ,
      name: `SANDBOX HOLDER ${CNPJ}`,
      responsible: { cpf: '52998224725', birthDate: BORN, name: 'SANDBOX HOLDER 52998224725' },
    },
    email: `holder-${CNPJ}@sandbox.example`,
  },
  issuer: 'intermediate',
  type: 'A3',
  pin: VAULT_PIN,
};

/** Everyone who has a certificate in the sandbox, one of each shape that a service must know how to meet. */
export const HOLDERS: readonly Holder[] = [
  vault('52998224725'),
  vault('12345678909', { expired: true }),
  vault('56072386105', { revoked: true }),
  vault('87378011126', { issuer: 'untrusted' }),
  vault('47363361886', { email: false }),
  vault('15350946056', { issuer: 'unreachable' }),
  person('11144477735', { pin: WORKSTATION_PIN, type: 'A3' }),
  company,
  cloud('alpha-1', { expired: true }),
  cloud('alpha-2', { issuedDaysAgo: 100 }),
  cloud('alpha-3'),
];
