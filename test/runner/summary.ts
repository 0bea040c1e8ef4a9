import { relative } from 'node:path';
import type { Reporter, TestModule, TestSpecification } from 'vitest/node';

const SLOWEST = 15;

// One that fails and then passes depends on luck. Two of these are bad luck.
const MAX_RETRIED = 2;

// Fewer are a part that somebody asked for.
const MIN_FILES_OF_ALL = 500;

const ABOUT = `Every test but the real kills (npm run test:kills), with a fifth of the fuzz runs (FUZZ=1 runs all).
On two cores about twelve minutes. One file or folder: npx vitest run test/functions/session
`;

const secondsOf = (module: TestModule): number => {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
};

const nameOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

/** Says before a whole run what it is, and after it which files took longest and which tests depend on luck. */
export class Summary implements Reporter {
  #isAll = false;

  onTestRunStart(files: readonly TestSpecification[]): void {
    this.#isAll = files.length >= MIN_FILES_OF_ALL;
    if (this.#isAll) console.log(ABOUT);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isAll) {
      console.log(`\nThe slowest ${SLOWEST} files, in seconds with their imports and hooks:`);
      for (const module of modules.toSorted((a, b) => secondsOf(b) - secondsOf(a)).slice(0, SLOWEST))
        console.log(`${secondsOf(module).toFixed(1).padStart(7)}  ${nameOf(module)}`);
    }
    const retried = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.retryCount)
        .map((test) => `${nameOf(module)}: ${test.fullName}`),
    );
    if (retried.length === 0) return;
    console.log(`\nTried again, which depend on luck and are to be mended:\n${retried.join('\n')}`);
    if (retried.length <= MAX_RETRIED) return;
    console.log(`At most ${MAX_RETRIED} may be: the run has failed.`);
    process.exitCode = 1;
  }
}
