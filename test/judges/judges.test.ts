import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runVerify } from '../../cli/verify/run.ts';
import { type ServedSandbox, serveSandbox } from '../cli/sandbox.ts';
import { cleanUp, startEngineProcess } from '../infra/local/engine/engine-process.ts';
import { differenceOf, type Report } from './compare.ts';
import { DISAGREEMENTS } from './disagreements.ts';
import { askDss, askPyhanko, hasJudges, type Judged, type Opinion } from './opinions.ts';
import { alteredFiles } from './sample/altered.ts';
import { cadesFiles } from './sample/cades.ts';
import { padesFiles } from './sample/pades.ts';
import { partiesOf } from './sample/parties.ts';
import type { SampleFile } from './sample/sample.ts';
import { serviceFiles } from './sample/services.ts';
import { xadesFiles } from './sample/xades.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinete-judged-'));
let sandbox: ServedSandbox;
let good: readonly SampleFile[] = [];
let bad: readonly SampleFile[] = [];
let ours: ReadonlyMap<string, Report>;
let dss: ReadonlyMap<string, Opinion>;
let pyhanko: ReadonlyMap<string, Opinion>;

function write({ name, bytes, content }: SampleFile): Judged {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  if (!content) return { path };
  const beside = path.replace(/\.p7s$/, '');
  writeFileSync(beside, content);
  return { path, content: beside };
}

async function verifyAll(roots: readonly string[]): Promise<readonly Report[]> {
  const printed: string[] = [];
  const trust = roots.flatMap((root) => ['--trust', root]);
  const output = { print: (text: string) => printed.push(text), printError: () => undefined };
  await runVerify([folder, ...trust, '--json'], output);
  return JSON.parse(printed.join('')).files;
}

const byName = <Each extends { readonly file: string }>(all: readonly Each[]): ReadonlyMap<string, Each> =>
  new Map(all.map((each) => [basename(each.file), each]));

// One look of each judge at all files: most of their time goes into starting.
beforeAll(async () => {
  if (!hasJudges) return;
  sandbox = await serveSandbox();
  // Of its own: a new session of a person ends the one before.
  const engine = await startEngineProcess();
  await engine.ready();
  const parties = partiesOf(sandbox);
  const made = await Promise.all([
    ...[padesFiles, cadesFiles, xadesFiles].map((make) => make(parties)),
    serviceFiles(engine),
  ]);
  good = made.flat();
  bad = await alteredFiles(parties);
  const files = [...good, ...bad].map(write);
  const roots = [sandbox.pki('root.crt'), join(engine.dataDir, 'pki/root.crt')];
  ours = byName(await verifyAll(roots));
  // This process answers what they ask of the authority.
  const [ofDss, ofPyhanko] = await Promise.all([askDss(files, roots), askPyhanko(files, roots)]);
  [dss, pyhanko] = [byName(ofDss), byName(ofPyhanko)];
}, 300_000);
afterAll(async () => {
  await cleanUp();
  sandbox?.stop();
  rmSync(folder, { recursive: true });
});

describe.skipIf(!hasJudges)('signatures before judges of others', () => {
  test('are 150 good ones of every kind, and 50 that are not', () => {
    expect(good.length).toBeGreaterThanOrEqual(150);
    expect(bad.length).toBeGreaterThanOrEqual(50);
    const refused = good.filter(({ name }) => {
      const { signatures = [] } = ours.get(name) ?? {};
      return signatures.length === 0 || signatures.some(({ verdict }) => verdict !== 'passed');
    });
    expect(refused.map(({ name }) => name)).toEqual([]);
    const accepted = bad.filter(({ name }) => ours.get(name)?.verdict === 'passed');
    expect(accepted.map(({ name }) => name).toSorted()).toEqual(HARMLESS);
  });

  describe.each([
    ['EU DSS', () => dss],
    ['pyHanko', () => pyhanko],
  ] as const)('%s', (judge, opinions) => {
    const rows = DISAGREEMENTS.filter((row) => row.judge === judge);

    test('says of each what we say, but where a row tells why not', () => {
      const differences = [...opinions()].flatMap(([name, opinion]) => {
        const report = ours.get(name);
        const difference = report ? differenceOf(report, opinion) : { ours: 'nothing', theirs: 'something' };
        const row = rows.find(({ files }) => files.test(name));
        if (difference?.theirs === row?.says) return [];
        return [
          {
            name,
            row: row?.says,
            ...difference,
            errors: opinion.signatures[0]?.errors,
            problem: opinion.problem,
          },
        ];
      });
      expect(differences).toEqual([]);
      const judged = [...good, ...bad].filter(({ name }) => judge === 'EU DSS' || !name.endsWith('.xml'));
      expect(opinions().size).toBe(judged.length);
    });

    test('differs by every row', () => {
      const unused = rows.filter(({ files }) => ![...opinions().keys()].some((name) => files.test(name)));
      expect(unused).toEqual([]);
    });
  });
});

// A timestamp of strangers in a signature proves nothing, and takes nothing away. One was forged as an honest program makes it.
const HARMLESS = [
  'cms-forged-honest.p7m',
  'cms-strangers-timestamp.p7m',
  'pdf-strangers-timestamp.pdf',
  'xml-strangers-timestamp.xml',
];
