import { preparePades } from '../../../shared/signing/pades/prepare.ts';
import { signPades } from '../../../shared/signing/pades/sign.ts';
import { buildPdf, ONE_PAGE } from '../signing/pades/documents.ts';
import { OPTIONS, person, verify } from '../signing/pades/parties.ts';
import type { Case } from './cost.ts';
import { CHANGED } from './pdf/changed.ts';
import { FILLED } from './pdf/filled.ts';
import { KNOTTED } from './pdf/knotted.ts';
import type { Shape } from './pdf/parts.ts';

const SIZES_BYTES = [300_000, 1_500_000];

// Every place with some kind of value, and every kind in some place. All combinations would take half a minute.
const someOf = (shapes: Readonly<Record<string, Shape>>, each: number): [string, Shape][] =>
  Object.entries(shapes).filter((_, at) => at % each === 0);

const SHAPES = [...Object.entries(KNOTTED), ...someOf(FILLED, 9), ...someOf(CHANGED, 3)];

export const cases = (): Case[] =>
  SIZES_BYTES.flatMap((size) => SHAPES.map(([name, shape]) => ({ name, bytes: () => shape(size) })));

const signed = await signPades(buildPdf(ONE_PAGE), person, OPTIONS);
export const honest = (): Buffer => signed;

const { certificate, chain } = person;

/** Verifies and prepares the file. Both together must stay within the limits of one. */
export async function read(file: Buffer): Promise<void> {
  const results = await Promise.allSettled([
    verify(file),
    (async () => preparePades(file, { ...OPTIONS, certificate, chain }))(),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
