import { type Budget, chargeMemory, chargeTime } from '../../../bounds/budget.ts';
import { broken } from '../refused.ts';
import { RUN_BYTES, RUN_UNITS } from './budget.ts';
import { countOf, isArray, nameOf, type PdfDict, type PdfValue } from './values.ts';
import { createRunFinder, type Entry, type Run, type Section } from './xref.ts';

/** The section that a cross-reference stream holds. */
export function readStreamSection(trailer: PdfDict, data: Buffer, at: number, budget: Budget): Section {
  if (nameOf(trailer.get('Type')) !== 'XRef') broken('its cross-reference is of the wrong type.');
  const widths = counts(trailer.get('W'));
  const [kindBytes = 0, secondBytes = 0, thirdBytes = 0] = widths;
  if (widths.length < 3 || widths.some((width) => width > MAX_COLUMN_BYTES))
    broken('its cross-reference has odd columns.');
  const width = widths.reduce((sum, bytes) => sum + bytes, 0);
  const index = counts(trailer.get('Index') ?? [0, trailer.get('Size') ?? 0]);
  chargeTime(budget, (RUN_UNITS * index.length) / 2);
  chargeMemory(budget, (RUN_BYTES * index.length) / 2);
  const runs = runsOf(index, width);
  if (width === 0 || runs.some((run) => run.at + run.count * width > data.length))
    broken('its cross-reference stream is too short.');
  const runOf = createRunFinder(runs);
  const find = (id: number): Entry | undefined => {
    const run = runOf(id);
    if (!run) return undefined;
    const start = run.at + (id - run.first) * width;
    const kind = kindBytes === 0 ? 1 : readNumber(data, start, kindBytes);
    const second = readNumber(data, start + kindBytes, secondBytes);
    const third = readNumber(data, start + kindBytes + secondBytes, thirdBytes);
    if (kind === 2) return { type: 'packed', stream: second, index: third };
    return kind === 1 ? { type: 'plain', offset: second, generation: third } : { type: 'free' };
  };
  return { at, kind: 'stream', trailer, find, runs };
}

const MAX_COLUMN_BYTES = 8; // pyHanko writes offsets of eight bytes
const MAX_NUMBER_BYTES = 6; // 256 TB

// Readers with smaller numbers would read another value: what they cannot hold must be zeros.
function readNumber(data: Buffer, at: number, bytes: number): number {
  if (bytes === 0) return 0;
  const excess = Math.max(0, bytes - MAX_NUMBER_BYTES);
  if (excess > 0 && data.readUIntBE(at, excess) !== 0)
    broken('its cross-reference holds a number larger than any file.');
  return data.readUIntBE(at + excess, bytes - excess);
}

function counts(value: PdfValue | undefined): number[] {
  if (!isArray(value)) return [];
  return value.map((item) => countOf(item) ?? broken('its cross-reference stream counts wrongly.'));
}

function runsOf(index: readonly number[], width: number): Run[] {
  if (index.length % 2) broken('its cross-reference stream counts wrongly.');
  const runs: Run[] = [];
  let at = 0;
  for (let pair = 0; pair < index.length; pair += 2) {
    const count = index[pair + 1] ?? 0;
    runs.push({ first: index[pair] ?? 0, count, at, width });
    at += count * width;
  }
  return runs;
}
