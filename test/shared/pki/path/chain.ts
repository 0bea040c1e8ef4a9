import type { Extension } from 'pkijs';
import type { Issuance } from '../../../../functions/sandbox/authority/domain/issuing/certificate.ts';
import {
  basicConstraintsOf,
  keyUsageOf,
} from '../../../../functions/sandbox/authority/domain/issuing/extensions.ts';
import type { NameParts } from '../../../../functions/sandbox/authority/domain/issuing/general-names.ts';
import type { Finding } from '../../../../shared/pki/findings/validation-results.ts';
import { type PathSettings, pathSettings } from '../../../../shared/pki/path/settings.ts';
import { type Path, validatePath } from '../../../../shared/pki/path/validate.ts';
import { below, type Holder, testKey, testPki } from '../../../certificates/pki.ts';

export const AT_MS = Date.UTC(2026, 5, 1);

export type Shape = Partial<Issuance> & { readonly keyName?: string };

/** An authority below another, or below a root of the test. EC keys, for speed. */
export const authority = (name: string, shape: Shape = {}, issuer: Holder = root()): Holder =>
  made(name, { extensions: authorityExtensions(), ...shape }, issuer);

export const holder = (name: string, shape: Shape, issuer: Holder): Holder => made(name, shape, issuer);

export const root = (): Holder => testPki('p256').root;

/** The extensions of an authority's certificate. */
export const authorityExtensions = (pathLength?: number): Extension[] => [
  basicConstraintsOf({ isAuthority: true, ...(pathLength !== undefined && { pathLength }) }),
  keyUsageOf(['keyCertSign', 'cRLSign']),
];

export const named = (commonName: string): NameParts => [
  ['country', 'BR'],
  ['organization', 'ICP-Brasil'],
  ['commonName', commonName],
];

const made = (name: string, { keyName = name, ...shape }: Shape, issuer: Holder): Holder =>
  below(issuer, testKey('p256', keyName), () => ({ subject: named(name), extensions: [], ...shape }));

export const pathOf = ({ certificate, chain }: Holder): Path => [certificate, ...chain];

/** The errors of a holder's path, as `position in the path: type`. */
export function errorsOf(of: Holder, settings: Partial<PathSettings> = {}): string[] {
  const found = validatePath(pathOf(of), pathSettings({ atMs: AT_MS, ...settings }));
  return found.flatMap((findings, i) => failures(findings).map(({ type }) => `${i}: ${type}`));
}

export const failures = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ outcome }) => outcome === 'errors');
