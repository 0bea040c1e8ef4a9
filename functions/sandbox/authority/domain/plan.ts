import type { KeyObject } from 'node:crypto';
import type { Extension } from 'pkijs';
import { HOLDERS, type Holder, type IssuerName, POLICY } from './holders.ts';
import type { NameParts } from './issuing/general-names.ts';
import {
  holderProfile,
  intermediateProfile,
  ocspResponderProfile,
  type Places,
  rootProfile,
  timestampAuthorityProfile,
} from './issuing/profiles.ts';

type Keys = { readonly publicKey: KeyObject; readonly issuerKey: KeyObject; readonly places: Places };
type Validity = { readonly notBeforeMs: number; readonly notAfterMs: number };

/** One certificate that the sandbox has: who issues it, to whom, for how long, and what is in it. */
export type Plan = {
  readonly name: string;
  /** A root issues its own. */
  readonly issuer: IssuerName;
  readonly subject: NameParts;
  readonly extensions: (keys: Keys) => Extension[];
  readonly validity: (nowMs: number) => Validity;
  readonly revoked: boolean;
  /** Holders have RSA keys, as nearly everyone does; authorities have EC keys, which are made and sign at once. */
  readonly key: 'rsa' | 'ec';
};

const DAY_MS = 86_400_000;
const ANY_POLICY = '2.5.29.32.0';

// Authorities are older than anything they issue, the expired certificates included.
const authorityYears: Validity = { notBeforeMs: Date.UTC(2020, 0, 1), notAfterMs: Date.UTC(2049, 0, 1) };
const expiredYears: Validity = { notBeforeMs: Date.UTC(2021, 0, 1), notAfterMs: Date.UTC(2022, 0, 1) };

// A day before, for clocks that differ; ten years on, so that a data folder does not age while it is in use.
const issuedBefore =
  (days = 1) =>
  (nowMs: number): Validity => ({
    notBeforeMs: nowMs - days * DAY_MS,
    notAfterMs: nowMs + 3650 * DAY_MS,
  });

const subject = (commonName: string): NameParts => [
  ['country', 'BR'],
  ['organization', 'Sinete Sandbox'],
  ['commonName', commonName],
];

const root = (name: IssuerName, commonName: string): Plan => ({
  name,
  issuer: name,
  subject: subject(commonName),
  extensions: ({ publicKey }) => rootProfile(publicKey),
  validity: () => authorityYears,
  revoked: false,
  key: 'ec',
});

const intermediate = (name: IssuerName, commonName: string): Plan => ({
  ...root(name, commonName),
  issuer: 'root',
  extensions: (keys) => intermediateProfile({ ...keys, policies: [ANY_POLICY] }),
});

const serviceOf = (name: string, commonName: string, extensions: Plan['extensions']): Plan => ({
  name,
  issuer: 'intermediate',
  subject: subject(commonName),
  extensions,
  validity: issuedBefore(),
  revoked: false,
  key: 'ec',
});

const holder = ({ name, issuer, commonName, fields, type, expired, ...more }: Holder): Plan => ({
  name,
  issuer,
  subject: subject(commonName),
  extensions: (keys) => holderProfile({ ...keys, holder: fields, policies: [POLICY[type]] }),
  validity: expired ? () => expiredYears : issuedBefore(more.issuedDaysAgo),
  revoked: more.revoked ?? false,
  key: 'rsa',
});

/** Issuers stand before those they issue to. */
export const PLANS: readonly Plan[] = [
  root('root', 'Sinete Sandbox Root'),
  intermediate('intermediate', 'Sinete Sandbox Authority'),
  intermediate('unreachable', 'Sinete Sandbox Authority out of reach'),
  root('untrusted', 'Sinete Sandbox Root that nobody trusts'),
  serviceOf('ocsp', 'Sinete Sandbox OCSP', ocspResponderProfile),
  serviceOf('tsa', 'Sinete Sandbox Timestamps', timestampAuthorityProfile),
  ...HOLDERS.map(holder),
];
