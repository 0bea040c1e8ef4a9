import { describe, expect, test } from 'vitest';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { displayNameOf } from '../../../../shared/pki/findings/display.ts';
import { buildPaths } from '../../../../shared/pki/path/build.ts';
import { newChecks } from '../../../../shared/pki/path/checks.ts';
import { pathSettings } from '../../../../shared/pki/path/settings.ts';
import { type Path, validatePath } from '../../../../shared/pki/path/validate.ts';
import type { Holder } from '../../../certificates/pki.ts';
import { startCpuClock } from '../../../measure/cpu-time.ts';
import { AT_MS, authority, holder, root } from './chain.ts';

const build = (
  target: Certificate,
  candidates: readonly Holder[],
  anchors: readonly Holder[] = [root()],
  checks = newChecks(),
) =>
  buildPaths(target, {
    anchors: anchors.map(({ certificate }) => certificate),
    candidates: candidates.map(({ certificate }) => certificate),
    atMs: AT_MS,
    checks,
  });

const said = (path: Path | undefined): string =>
  (path ?? []).map(({ subject, issuer }) => `${displayNameOf(subject)}<${displayNameOf(issuer)}`).join(' ');

describe('paths are built', () => {
  const top = authority('Top');
  const below = authority('Below', {}, top);
  const target = holder('Holder', {}, below);

  test('from candidates in any order, with strangers among them', () => {
    const { paths } = build(target.certificate, [authority('Stranger'), top, below, target]);
    expect(paths.map((path) => path.map(({ sha256 }) => sha256))).toEqual([
      [target, below, top, root()].map(({ certificate }) => certificate.sha256),
    ]);
  });

  test('by every way there is, the one that is valid at the time first', () => {
    const expired = authority('Below', { notAfterMs: AT_MS - 1 }, top);
    const other = authority('Other Top');
    const crossed = authority('Below', {}, other);
    const { paths } = build(target.certificate, [expired, top, crossed, other]);
    expect(paths).toHaveLength(2);
    expect(said(paths[0])).toContain('Below<Other Top');
    expect(said(paths[1])).toContain('Below<Top');
  });

  test('through the certificate whose key signed, not through another of its name', () => {
    const impostor = authority('Below', { keyName: 'impostor' }, top);
    const { paths } = build(target.certificate, [impostor, below, top]);
    expect(paths.map((path) => path[1]?.sha256)).toEqual([below.certificate.sha256]);
  });

  test('through the wrong key too when there is no other, so that its failure can be told', () => {
    const impostor = authority('Below', { keyName: 'impostor' }, top);
    expect(build(target.certificate, [impostor, top]).paths).toHaveLength(1);
  });

  test('without going round when authorities certify each other', () => {
    const a = authority('A');
    const b = authority('B', {}, a);
    const aByB = authority('A', {}, b);
    const bByA = authority('B', {}, aByB);
    const { paths, ends } = build(holder('Holder', {}, bByA).certificate, [b, aByB, bByA], []);
    expect(paths).toEqual([]);
    // A and B have one key each, so no path has more than these two above the holder.
    expect(ends.map(({ length }) => length)).toEqual(ends.map(() => 3));
  });

  test('in bounded time when dozens certify each other', () => {
    const names = Array.from({ length: 8 }, (_, i) => `N${i}`);
    const all = names.flatMap((name) => names.map((by) => authority(name, {}, authority(by))));
    const cpuMs = startCpuClock();
    const { paths, ends } = build(holder('Holder', {}, authority('N0')).certificate, all, []);
    expect(paths).toEqual([]);
    expect(ends.length).toBeLessThanOrEqual(501);
    expect(cpuMs()).toBeLessThan(5_000);
  });

  test('with one check for two certificates, however many paths and calls lead through both', () => {
    const own = authority('Own');
    const { certificate } = holder('Holder', {}, own);
    const [first, second] = [newChecks(), newChecks()];
    for (const checks of [first, second])
      expect(build(certificate, [own], [root()], checks).paths).toHaveLength(1);
    expect(first.leftUnits).toBeLessThan(second.leftUnits);
    expect(second.leftUnits).toBe(newChecks().leftUnits);
  });

  test('with no check more than there is to spend, and what is not checked has signed nothing', () => {
    const checks = { leftUnits: 0, known: new Map() };
    const upper = authority('Unchecked Top');
    const lower = authority('Unchecked', {}, upper);
    const [path] = build(holder('Holder', {}, lower).certificate, [lower, upper], [root()], checks).paths;
    const settings = pathSettings({ atMs: AT_MS, checks });
    const told = path && validatePath(path, settings).flatMap((own) => own.map(({ type }) => type));
    expect(told?.filter((type) => type === 'InvalidCertificateSignature')).toHaveLength(3);
  });

  test('to where they end when nobody above is known', () => {
    const { paths, ends } = build(target.certificate, [below]);
    expect(paths).toEqual([]);
    expect(ends.map(said)).toEqual(['Holder<Below Below<Top']);
  });

  test('of one certificate when that is an anchor itself', () => {
    expect(build(root().certificate, []).paths).toEqual([[root().certificate]]);
  });
});
