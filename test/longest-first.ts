import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

// A worker goes on to the next file in its process only while that is of the same project, so that those stand together.
const PROJECTS = ['browser', 'whole', 'house', 'store', 'pure', 'kills'];

// They start engines and browsers. One that began last would run on alone, with nothing for the other workers to do.
const SLOWEST = [
  'test/browser/',
  'test/docs/',
  'test/infra/local/engine/',
  'test/infra/',
  'test/contract/',
  'test/functions/session/',
  'test/agent/',
];

// Most of these wait for the shared engine, whose functions have one core: more than two of them at once take turns.
const isBrowser = ({ moduleId }: TestSpecification): boolean => moduleId.includes('/test/browser/');

// While the shared engine builds the functions, no other engine is to build them too.
const BROWSERS_AHEAD = 5;

/** What takes long begins first. Without this the order is that of file sizes, which say little. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const folder = ({ moduleId }: TestSpecification): number => {
      const found = SLOWEST.findIndex((start) => moduleId.includes(`/${start}`));
      return found < 0 ? SLOWEST.length : found;
    };
    const project = (file: TestSpecification): number => PROJECTS.indexOf(file.project.name);
    const sorted = files.toSorted((a, b) => project(a) - project(b) || folder(a) - folder(b));
    const browsers = sorted.filter(isBrowser);
    const others = sorted.filter((file) => !isBrowser(file));
    return [...browsers.slice(0, BROWSERS_AHEAD), ...takeTurns(browsers.slice(BROWSERS_AHEAD), others)];
  }
}

/** One of each, and then the rest of the longer list. */
const takeTurns = <T>(some: readonly T[], others: readonly T[]): T[] =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, n) => [others[n], some[n]])
    .flat()
    .filter((item) => item !== undefined);
