import { parentPort } from 'node:worker_threads';
import { preparePades } from '../../../../shared/signing/pades/prepare.ts';
import { HOSTILE } from './hostile-files.ts';
import { outcomeOf } from './outcome.ts';
import { OPTIONS, person, verified } from './parties.ts';

// In a thread of its own, whose memory has a limit.
const { certificate, chain } = person;
const outcomes: Record<string, string[]> = {};
for (const [name, make] of Object.entries(HOSTILE)) {
  const file = make();
  outcomes[name] = [
    await outcomeOf(() => preparePades(file, { ...OPTIONS, certificate, chain })),
    await outcomeOf(() => verified(file)),
  ];
}
parentPort?.postMessage(outcomes);
